import type { LanguageWords } from './language-words.ts';

export const EN: LanguageWords = {
  faults: {
    accusing: [
      [
        0.95,
        '(?<!if )(?<!case )you (?:just |also |completely |totally |again |have |ve |clearly |still |somehow |seem to have |must have |may have |might have )?(?:forgot|forgotten|missed|broke|broken|ignored|overwrote|overwritten|misread|misunderstood|skipped|left out|messed up|screwed up|wiped|clobbered|faked|invented|made up|hallucinated|lost|overlooked|got (?:it|this|that|the|them) (?:\\p{L}{1,12} ){0,2}(?:wrong|backwards|mixed))',
      ],
      [
        0.9,
        '(?<!if )you (?:keep \\p{L}{2,12}ing|kept|never \\p{L}{2,12}ed|never (?:ran|did|read|wrote|put)|only (?:did|\\p{L}{2,12}ed)|were supposed|were meant|were told)',
      ],
      [
        0.86,
        '(?<!if )(?<!glad )(?<!good )you (?:didnt|did not|havent|have not|still havent|werent|dont seem)',
      ],
      [
        0.82,
        '(?<!if )you (?:just |also |even |have |ve |then |went and )?(?:deleted|removed|dropped|hardcoded|hard coded|duplicated|disabled|commented out|weakened|lowered|committed|pushed|touched|reformatted|mixed up|confused|guessed)',
      ],
      [
        0.5,
        '(?<!if )you (?:just |also |even |have |ve |then )?(?:changed|renamed|replaced|moved|edited|put|used|added|rewrote|wrote|made|swapped|turned|assumed|mocked)',
      ],
      [
        0.85,
        'why (?:on earth |the hell |the heck )?(?:did|are|have|would|do|were) you (?:\\p{L}{1,10} )?(?:delet\\p{L}{1,3}|remov\\p{L}{1,3}|chang\\p{L}{1,3}|touch\\p{L}{0,3}|renam\\p{L}{1,3}|add\\p{L}{0,3}|skip\\p{L}{0,4}|disabl\\p{L}{1,3}|commit\\p{L}{0,4}|push\\p{L}{0,3}|ignor\\p{L}{1,3}|break\\p{L}{0,3}|edit\\p{L}{0,3}|rewrit\\p{L}{1,3}|mock\\p{L}{0,3}|drop\\p{L}{0,4}|mov\\p{L}{1,3}|install\\p{L}{0,3})',
      ],
      [0.5, 'why (?:did|are|have|would|do|were) you|why (?:is|are) (?:there|it|this|that|the|all)'],
      [0.82, 'did you (?:even|actually|really|just)'],
      [0.5, 'did you (?:not|forget|test|run|read|check)'],
      [
        0.4,
        'your (?:change|changes|fix|edit|edits|code|commit|patch|version|refactor|refactoring|last|latest|test|tests|regex|query|migration)',
      ],
      [
        0.7,
        'your(?:s| \\p{L}{2,14}) (?:doesnt|throws|fails|breaks|returns|ignores|still|only|has|removes|changes|adds|isnt|never)',
      ],
      [0.68, 'why (?:is|are) there|why does (?:it|this|that|the \\p{L}{2,14}) (?:still|now)'],
    ],
    unasked: [
      [
        0.97,
        '(?:not|isnt|wasnt|never|hardly) (?:at all |really |exactly |quite )?(?:what|how|where|the way|the one|the thing) (?:i|we|was|is)(?! (?:do|think))',
      ],
      [
        0.95,
        '(?:never|didnt|did not|nobody|no one|havent|dont recall|dont remember) (?:ever )?(?:ask|asked|asking|told|tell|requested|request)|not asked for|wasnt asked',
      ],
      [
        0.9,
        '(?:i|we) (?:explicitly|specifically|clearly|already|literally|only) (?:asked|said|told|wanted|wrote|requested|need|needed|meant)',
      ],
      [
        0.81,
        '(?:i|we) (?:asked (?:for|you|that|to)|told you|had asked|had said|agreed|had agreed|was expecting|expected|was hoping|d hoped|had hoped|d expected|would have expected)|as (?:agreed|discussed|requested|specified)',
      ],
      [
        0.75,
        '(?:i|we) (?:meant|requested|said)|what i (?:meant|wanted|need|asked)|i wanted(?! to (?:ask|say|let|check|know|see|thank))',
      ],
      [
        0.7,
        '(?:the|my) (?:task|ticket|spec|issue|request|instructions?|prompt|brief|plan|question|requirement|requirements|acceptance criteria) (?:was|were|said|says|say|asks|asked|clearly|explicitly|is very)',
      ],
      [
        0.75,
        'not (?:this|that|the other|those|in that|in this) (?:one|file|way|function|branch|class|folder)|not like (?:this|that)|(?:wrong|other) one|the other (?:file|one|branch|function|repo)',
      ],
      [
        0.72,
        'thats (?:the|our) (?:prod|production|live|main|wrong|old)|(?:in|per|according to) the (?:ticket|spec|issue|requirements)|just the|only the|only wanted',
      ],
      [0.55, 'we use|we target|we agreed'],
    ],
    wrong: [
      [
        0.95,
        '(?:thats|this is|that is|its|it is|was|are|looks|seems|still|completely|totally|just|plain|dead|all) (?:still |just |all |completely |totally |so |plain |simply )?(?:wrong|incorrect|not right|not correct|backwards|the wrong|nonsense|garbage|inverted|upside down|a mess)',
      ],
      [
        0.9,
        'wrong (?:file|place|branch|function|one|way|order|table|folder|column|method|class|test|direction|path|version|name|port|endpoint|type|sign|env|environment|config|repo|component|field|key|language|status|code|unit|units|timezone)',
      ],
      [0.55, 'wrong|incorrect|nonsense|off by one|typo|misspelled'],
      [
        0.85,
        '(?:it|that|this|fix|nothing|none of it|which) (?:still |just |simply |really |actually )?(?:doesnt|didnt|does not|did not|isnt|wont|is not|hasnt|never) (?:even |really |actually |quite )?(?:work|working|compile|build|pass|fix|help|run|start|render|fixed|do anything|change anything|worked)|nothing works',
      ],
      [
        0.6,
        '(?:doesnt|dont|didnt|wont|isnt|arent|does not|do not|did not|is not|cant|not) (?:even |really |actually |quite )?(?:work|works|working|compile|compiling|build|building|pass|passing|fix|help|run|running|start|render|load|match|fixed|enough|exist|solve|done|finished|complete)',
      ],
      [
        0.8,
        '(?:now|and now|since then|because of (?:this|that)|after (?:your|that|this)) (?:\\p{L}{1,14} ){0,5}(?:fail|fails|failing|break|breaks|broken|crash|crashes|error|errors|red|gone|missing|worse|slower|doesnt|dont|cant|404|500)',
      ],
      [
        0.7,
        '(?:tests?|build|ci|lint|it|page|app|everything|typecheck) (?:is |are |s |still |now |just |all )?(?:red|broken|breaks|failing|fails|fail|crashes|crash|worse|blank|gone)|(?:broke|breaks|messes up|breaking) (?:the|all|every|everything|it|on|for|my|our)|worked (?:before|fine|until)|was working|used to (?:work|be|pass|return|show)|(?:is|are|s|all) gone|disappeared|no longer',
      ],
      [
        0.75,
        'not (?:quite|really)(?: right| it| what| there| correct)?|close but|almost but|nearly but|half (?:right|done|of it|the)|only half|incomplete|unfinished|not (?:done|finished|there) yet|isnt (?:done|finished)',
      ],
      [
        0.75,
        'overkill|over ?engineered|over ?complicated|way too|unnecessary|unneeded|pointless|useless|far too|too (?:much|many|long|complicated|clever|broad|aggressive)|not (?:necessary|needed)|redundant',
      ],
      [
        0.7,
        '(?:looks|seems|feels|appears) (?:like |as if |to )?(?:you |it |that |this |the |we |have )(?:\\p{L}{1,14} ){0,3}(?:removed|lost|broke|broken|changed|missed|disappeared|still|no longer|not|wrong|off|gone|deleted|dropped|mixed|misunderst\\p{L}{2,4}|overwrote|skipped|duplicated)',
      ],
      [
        0.6,
        'returns? (?:\\p{L}{1,14} ){1,3}instead|expected (?:\\p{L}{1,14} ){1,4}(?:got|but)|never (?:called|used|awaited|closed|reached|runs|executed|checked)|twice',
      ],
      [0.35, 'missing|duplicate|duplicated|fails|crashes|broken|failing'],
      [
        0.82,
        '(?:that|this|it|which) (?:just |also |now |actually |completely )?(?:breaks|broke|deleted|deletes|removed|removes|lost|loses|overwrites|overwrote|ignores|ignored|crashes|duplicates|leaks|undoes|disables)',
      ],
      [
        0.85,
        'doesnt even|dont even|step back\\p{L}{0,5}|(?:faster|better|fine|cleaner|simpler) before|worse than|it was (?:fine|better|faster|working|right)|(?:the )?whole point|missed the point|beside the point',
      ],
      [
        0.75,
        'works (?:\\p{L}{1,10} ){0,5}only|only works|(?:kind|sort) of works|works but|almost there|good start|nice try|but now|not idiomatic|isnt idiomatic|(?:like|as) (?:everywhere else|the rest|the others|all the others)|elsewhere in (?:this|the)|half baked|half finished|halfway',
      ],
      [
        0.6,
        'not a single|(?:is|are) (?:still )?missing|without (?:a |any |a single )?tests?|twice|misses|off by',
      ],
      [0.75, 'expected \\S{1,20}(?: \\S{1,20}){0,3} (?:but )?got'],
    ],
    again: [
      [
        0.93,
        '(?<!we )(?<!i )still (?:fails|failing|broken|wrong|crashes|crashing|red|the same|happens|happening|throws|flaky|there|not (?:working|fixed|passing|right|there|what|it|correct|done))|still (?:doesnt|dont|isnt) (?:work|pass|compile|build|render|show|fixed|right|there|match)',
      ],
      [
        0.8,
        'still (?:get|getting|see|seeing|says|shows|returns|have the|nothing|undefined|null|empty|blank|500|404)|(?<!we )still (?:not|doesnt|isnt|missing|no )|same (?:error|problem|bug|issue|failure|result|thing|mistake)',
      ],
      [
        0.95,
        '(?:second|third|fourth|fifth|last|hundredth|nth|2nd|3rd|one more) time|how many times|yet again|once again you|again you|same mistake|as i (?:already )?(?:said|told|wrote|asked|mentioned)|like i (?:already )?(?:said|asked)|i repeat|already (?:told|said|asked|mentioned)|(?:read|re ?read|look at) (?:\\p{L}{1,12} ){0,4}(?:again|carefully|properly)|try again|redo|start over|do it (?:again|properly|right)',
      ],
      [0.4, 'again'],
      [0.62, '(?<!we )(?<!i )(?<!you )still \\p{L}{3,14}'],
    ],
    undo: [
      [
        0.7,
        '(?:undo|revert|back out|roll back) (?:that|this|it|your|the last|everything|all|those|these|please|to|what|the)|roll (?:it|that|this|them) back|put (?:it|that|them|this|everything|those|the \\p{L}{1,14}(?: \\p{L}{1,14})?) back|(?:change|bring|switch|set|move|rename|turn) (?:it|that|them|this|the \\p{L}{1,14}(?: \\p{L}{1,14})?) back|as it was|like it was|(?:how|the way) it was|undoing|reverting|give (?:me )?back|back to (?:the|how|what)',
      ],
      [
        0.5,
        'undo|revert|rollback|restore|take (?:it|that|this|them) (?:back )?out|get rid of|remove (?:it|that|this|those|what|all of)|drop (?:it|that|this)|keep the (?:old|original|existing|previous)|the original',
      ],
    ],
    should: [
      [
        0.86,
        '(?:should|shouldnt|should not|must|could)(?: never| not)? (?:have|ve) (?:been|stayed|used|kept|gone|done|left|\\p{L}{2,12}ed)|(?:was|were|wasnt|werent) (?:never |not )?(?:supposed|meant) to|shouldnt (?:that|this|it|we|you)',
      ],
      [
        0.5,
        'should (?:be|only|still|also|return|stay|use|go|live|have|not|never)|shouldnt|(?:is|are|isnt|arent|not) (?:supposed|meant) to|has to be|needs to be|must be|must not|mustnt|cant be|ought to|belongs? (?:in|to|there|here)',
      ],
      [0.35, 'instead of|rather than|not the|instead'],
    ],
    stop: [
      [
        0.8,
        'stop (?:doing|adding|changing|editing|touching|making|mocking|guessing|inventing|rewriting|it|that|this|right|there|now|what)|no no|cut it out|thats enough|hands off|hold it|dont do (?:that|this|it)',
      ],
      [
        0.55,
        '^(?:stop|wait|whoa|woah|hold on|hang on|no stop|wtf|what the|ugh|argh|come on|seriously|oh no|no(?! (?:rush|hurry|problem|worries|need|changes?|other|more|one|idea|matter|longer|new|tests?|ui))|nope|nah)(?![\\p{L}])',
      ],
      [0.35, '^(?:hmm?|hm|uh|umm?|er|well|hey|sorry)(?![\\p{L}])'],
      [
        0.55,
        '(?:leave|keep) (?:\\p{L}{1,14} ){1,4}(?:alone|as it was|as is|as it is|untouched|out of)|(?:dont|do not|never) (?:ever )?(?:touch|edit|change|modify|delete|remove|commit|push|mock|rewrite|lower|disable|skip)|stick (?:to|with)',
      ],
    ],
    rule: [
      [
        0.7,
        '(?:is|are|its|thats|thats a|this is a|is a) (?:auto ?|a )?(?:generated|vendored|read only|off limits|public api|frozen|shared with)|generated (?:file|code|from|by)|by hand',
      ],
      [
        0.65,
        'we (?:dont|do not|never|always|only) (?:ever )?\\p{L}{2,14}|our (?:convention|conventions|style|rule|rules|policy)|not how we|in this (?:repo|project|codebase) we|convention (?:here|is)|against (?:our|the) (?:rules|style|conventions?|policy)',
      ],
      [
        0.5,
        '(?:see|read|check|follow) (?:the )?(?:agents|claude|contributing|readme|style guide|guidelines|rules|spec)|as (?:the|our) (?:readme|docs|spec|guidelines|rules)',
      ],
    ],
    claim: [
      [
        0.78,
        '(?<!as )(?<!like )(?<!what )you (?:said|claimed|claim|say|told me|promised|reported)|not true|isnt true|that is false|lied|lying|where (?:did|do) you (?:get|see|find)|since when',
      ],
      [
        0.6,
        'are you (?:sure|serious|kidding|certain)|you sure|really \\?|seriously|where (?:is|are|s) (?:the|my|all|that)|i (?:dont|do not|cant|cannot) (?:see|find)|nothing (?:changed|happened|happens)|no (?:test|tests|change|changes|difference) (?:was|were|at all|anywhere|in)|there (?:is|are|was) no such|doesnt exist|does not exist|no such',
      ],
      [
        0.75,
        '(?:summary|message|report|log|changelog|comment|docs?) (?:claims|lies|says)|marked (?:it |this |that )?(?:as )?(?:done|complete|tested|fixed)|claims',
      ],
    ],
    polite: [
      [
        0.82,
        'im afraid|i am afraid|would you mind (?:undoing|reverting|putting|keeping|leaving|not|taking|changing)|(?:may|might|must) have (?:missed|misunderstood|overlooked|mixed|slipped|gone|misread|been)|appreciate (?:\\p{L}{1,10} ){0,4}but|thanks but|thank you but|not sure (?:this|that|why|thats|its) (?:is|was|s|are|you|the)?|misunderstanding',
      ],
      [
        0.5,
        'unfortunately|sadly|sorry but|however|(?:small|tiny|quick|minor|little) (?:thing|correction|issue|problem|nit|nitpick|remark|objection)|one (?:correction|problem|issue)|i (?:think|believe|suspect) (?:you|this|that|it|there|the)|could you (?:please )?(?:put|keep|leave|restore|undo|revert|take|change|move|rename|switch)',
      ],
      [0.3, 'but'],
      [
        0.62,
        'would you mind|existing (?:helper|function|component|util|hook|method|class|one)|instead of (?:writing|adding|creating|making|changing)|rather than (?:writing|adding|creating)|maybe i was unclear|not clear enough|to be clear|to clarify',
      ],
    ],
    sarcasm: [
      [
        0.82,
        '(?:great|nice|good|wonderful|fantastic|brilliant|lovely|amazing|excellent|impressive|perfect|awesome|thanks|thank you|congrats|congratulations|well done|bravo|cool|wow)(?: \\p{L}{1,12}){0,5} (?:deleting|breaking|removing|ignoring|for nothing|deleted|broken|fails?|failing|crash|crashes|gone|wrong|empty|too bad|except|until|now nothing)',
      ],
      [
        0.8,
        '(?:love|like|adore) how|oh (?:great|good|nice|wonderful|lovely|perfect|sure|joy|cool|brilliant|fantastic|look)|just what i (?:needed|wanted)|very funny|slow clap|so helpful|very helpful|who needs|because who|since when|bold (?:move|choice|strategy)|(?:interesting|creative|bold|novel|unique) (?:choice|way|interpretation|approach|definition|take|reading)|what a (?:surprise|shame|mess|disaster)|genius',
      ],
      [
        0.5,
        'apparently|remind me|good thing|i see (?:you|we)|optional|magically|i guess|truly|wow|brilliant|clever',
      ],
      [0.72, '^so (?:we|were|you|youre|its|this|now)(?: \\p{L}{1,14}){1,7} now|nice try|genius'],
    ],
  },
  bare: '(?:no|nope|nah|wrong|no no|no no no|stop|undo|revert|not that|not this|bad|why|what|huh|wtf|seriously|again|still (?:broken|red|wrong|failing)|not good|try again|incorrect|no wrong|nah wrong|undo that|revert that|undo it|revert it|undo this|revert this|put it back|not like that|stop it|stop that|nope wrong|oh no|come on|ugh|redo|not done|same error|wrong (?:file|one|branch|way|place))',
  own: 'my (?:\\p{L}{1,12} ){0,3}(?:was|were|is) (?:\\p{L}{1,8} )?(?:wrong|bad|unclear|off|outdated|incomplete|too)|i (?:accidentally|mistakenly)|what i (?:wrote|said|pasted|sent) (?:was|is)|ignore (?:my|the last|my last)|disregard|scratch that|forget (?:it|that|what i|about)|strike that|rephrase|plans? (?:have |has )?changed|change of plans?|new plan|different idea|(?:spec|ticket|plan|scope|design|deadline|priorities) (?:has |have |just )?(?:changed|moved|shifted)|in the meantime|i (?:now )?think (?:we|i) (?:should|want)|experiment|just testing|only a test|(?:but )?now (?:i|we|id|lets) (?:want|need|prefer|would|rather|do)|i know i said|i did say|i had said|i said (?:\\p{L}{1,14} ){1,8}but (?:now|actually|on)|good enough|fine by me|leave it for now|change(?:d)? my mind|second thoughts?|my (?:own )?(?:mistake|bad|fault|error|typo)|i was wrong|i (?:was|am|m) (?:the one|mistaken|confused)|i (?:should|could) have (?:said|told|mentioned|been|asked|written|given)|i forgot|i (?:gave|told|sent|pasted) you the wrong|i (?:misread|mistyped|misspoke|mixed up|typed|overlooked)|sorry i|requirements? (?:have |has |just )?changed|(?:client|customer|boss|product|designers?|legal|marketing|pm|stakeholders?|manager|team|they|management|finance|sales|ops|security) (?:\\p{L}{1,10} )?(?:wants?|decided|changed|now wants?|asked|said|prefers?|would rather|vetoed|came back)|we (?:ve |have |just )?decided|(?:id|i would|wed|we would) (?:rather|prefer)|i (?:now )?prefer|never ?mind|not (?:needed|necessary) any ?more|no longer (?:need|want|needed)|after all|(?:next|this) (?:week|sprint|month|quarter)|tomorrow|out of (?:time|budget|credits|tokens)|(?:have|need|got) to (?:go|leave|run|catch|restart|reboot)|meeting|lunch|dinner|laptop|battery|train|call in|standup|lets (?:pause|continue|call it|park|postpone|do it later|keep)|for today|(?:until|till) (?:later|monday|tomorrow)|i (?:thought|think) about it|thinking about it|now i (?:want|think|need|see|realize|realise)|i (?:realize|realise|realized|realised|noticed|found out) (?:that )?i|was right|you were right|youre right|your? (?:way|version) (?:is|was) better|i take (?:it|that) back|freeze|curious|curiosity|wondering|for my understanding|to understand|i changed it|that was me|by me|i broke|i did that|i deleted|i removed',
  others:
    'interns?|colleagues?|coworkers?|teammates?|co workers?|someone else|somebody else|(?:legacy|old|existing) (?:code|module|implementation|system|app|script|test|tests)|before (?:you|your|we|any of)|pre ?existing|not your (?:fault|doing|change)|isnt your|(?:already|was|were) (?:broken|failing|there|like that|wrong|flaky) (?:before|on main|on master|for|since)|users? (?:report|reports|complain|say|see|are|told|get)|customers? (?:report|complain|say|see|are|get|told)|bug report|(?:support|sentry|datadog|grafana) (?:ticket|says|shows|reports)|in prod|in production|on staging|on (?:main|master)|last (?:week|month|year|release|deploy|night)|yesterday|the (?:previous|old|last) (?:dev|developer|agent|contractor|maintainer|intern|team|release)|upstream|(?:aws|github|npm|stripe|the vendor|their api|third party|provider|registry|ci runner|api) (?:is|was|has|changed|keeps)|from (?:last|the old|2\\p{N}{3})|(?:he|she|they|dave|bob|alice|tom|anna|marketing|intern) (?:wrote|broke|forgot|left|pushed|merged|deleted|said)',
  praise:
    '(?:thanks|thank you|thx|ty|great|perfect|nice|good|awesome|excellent|lgtm|looks good|cool|love it|works|wonderful|amazing|super|fantastic|brilliant|sweet|yes|yep|yeah|ok|okay|sure|correct|exactly|right|all good|well done|good job|great job|nice work|beautiful)(?![\\p{L}])',
  further:
    '(?:now|next|also|then|please (?:add|also|write|create|implement|make)|could you (?:also|add|please add)|can you (?:also|add|please|explain|show)|add|create|implement|write|build|lets|let us|how|what|which|who|when|explain|show|what about|one more|another|in addition|continue|go on|go ahead)(?![\\p{L}])',
};
