import { EN_MANNERS } from './en-manners.ts';
import type { LanguageWords } from './language-words.ts';

export const EN_FAULTS: LanguageWords['faults'] = {
  accusing: [
    [
      0.9,
      '(?:who|nobody|no one) (?:told|asked|said)(?: you)?|what did i (?:say|tell|ask|write)|did i (?:say|ask|miss|tell|not)|how often do i|(?:can|cant|do|did|have) you (?:not |even |actually |really )?(?:read|look|looked|listen|test|tested|try|tried|check|checked|open|opened)(?! into)|you(?:re| are) (?:wrong|mistaken|not supposed|supposed|guessing|breaking|ignoring|missing|confusing|mixing|just|still)|you cant just|you (?:must|should|shouldnt|may|can)(?: not| never|nt) |before you (?:guess|remove|change|delete|claim|say|touch|edit|commit|run)',
    ],
    [
      0.6,
      '(?<!if )(?:you|youve|u) (?:just |also |even |have |then )?(?:ran|put|left|turned|set|wrapped|added|introduced|pushed|installed|created|did|took|sent|called|picked|chose|kept|stopped|started|closed|merged)',
    ],
    [
      0.95,
      '(?<!if )(?<!case )you (?:just |also |completely |totally |again |have |ve |clearly |still |somehow |seem to have |must have |may have |might have )?(?:forgot|forgotten|missed|broke|broken|ignored|overwrote|overwritten|misread|misunderstood|skipped|left out|messed up|screwed up|wiped|clobbered|faked|invented|made up|hallucinated|lost|overlooked|got (?:it|this|that|the|them) (?:\\p{L}{1,12} ){0,2}(?:wrong|backwards|mixed))',
    ],
    [
      0.9,
      '(?<!if )you (?:keep \\p{L}{2,12}ing|kept|never \\p{L}{2,12}ed|never (?:ran|did|read|wrote|put)|only (?:did|\\p{L}{2,12}ed)|were supposed|were meant|were told)',
    ],
    [0.86, '(?<!if )(?<!glad )(?<!good )you (?:didnt|did not|havent|have not|still havent|werent|dont seem)'],
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
      0.9,
      '(?:was|were|is|are|wasnt|werent) (?:only |never |not )?supposed to|(?:wasnt|isnt|was not|not|nowhere|never) (?:part of|in) (?:the|my|this) (?:request|task|ticket|spec|issue|plan|brief|prompt)|none of (?:that|this|it) (?:was|is)|(?:the|my) (?:request|task|ask|ticket|question|instruction|brief) was|(?:that|it|this) (?:was|is) in the (?:ticket|spec|issue|task|plan|readme)|i (?:only|just) (?:wanted|needed|asked|said|meant|need)|i didnt want|i dont want|(?:columns|things|files|ones?|fields|steps|names|cases) (?:that )?i (?:mentioned|listed|named|asked|gave)|match the (?:request|spec|ticket|design)|where did you get',
    ],
    [
      0.75,
      '(?:spec|ticket|issue|task|docs?|readme|agents md|claude md|criteria|design|mockup|prompt|instructions?|rfc) (?:says?|said|states?|asks?|asked|requires?|clearly|explicitly|is (?:clear|explicit))|id have (?:expected|wanted|hoped|thought)|i was hoping|id hoped|id like to (?:keep|be asked)|i (?:mentioned|specified|listed)|(?:just|only) (?:the |in )?\\p{L}{2,14}(?: \\p{L}{2,14})?$|what is (?:this|that) doing',
    ],
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
      0.8,
      'hangs?(?: there| forever)?|freezes|stuck|never (?:times out|ends|finishes|stops)|waits? forever|times out|(?:rows|lines|tests|files|entries) (?:are |is )?missing|half of the|busy loop|prints the|drops the',
    ],
    [
      0.8,
      '(?:isnt|is not|not|arent|are not|wasnt) (?:really |even |actually |quite )?(?:an? |the |how )?(?:fix|solution|reason|case|green|right|true|correct|acceptable|accurate|ok|okay|the way|same|point|place|it|good|making|fixed|cause|problem|what|supported|done|valid|usable|readable)(?! yet)|(?:does|do|did)(?:nt| not) (?:fix|solve|find|show|match|save|update|exist|load|include|handle|cover|respect|compile|build|add up|make sense|depend|survive|look|need|apply|belong|even)|does nothing|(?:gives?|gets?|getting|returns|throws|shows?|seeing|produces|prints|says) (?:me )?(?:an? |the )?(?:401|403|404|422|500|502|error|errors|nothing|null|undefined|empty|blank|nan|\\p{N}{1,4} (?:type )?errors|wrong|same|0|exception|warning)|\\p{N}{1,4} (?:type |lint |test |tests |more )?(?:errors|failures|failing|failed|fail)|behaviou?r (?:did |has |is )?(?:change|changed|different)|build fails|fails (?:now|with|to)|cheating|hides? the|masks the|papers? over|under the rug',
    ],
    [
      0.6,
      'worse|no longer|(?:day|hour|row|line|minute|month) off|same as (?:before|it was)|(?:got|is|are|was|been|go) (?:lost|missing|gone)|vanish\\p{L}{0,3}|gone|made up|useless|hacky?|workaround|band ?aid|mistake|a mess|not one of|fewer|loses|behind the|in the wrong|generic|instead$|spaces|only half|empty|too (?:slow|big|small|strict|loose|early|late|verbose|wide|generic)|slower|takes \\p{L}{1,8} (?:seconds|minutes)|backwards|inverted|upside|reversed|swapped|misleading|confusing|ugly|unreadable|broken|broke|breaks|crash\\p{L}{0,3}|leaks?|stale|garbage',
    ],
    [0.4, '(?:any ?more|wrong|bug|error|errors|fails?|failing|problem|missing)'],
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
      0.9,
      'look again|(?:another|a closer|a second) look|how often|remember when|(?:just )?a reminder|same (?:bug|mistake|error) again|still (?:one|off|the|a|an|in|on|using|has|have|contains|shows|there|there s|doesnt|cant|red|uses|calls|imports|seeing|getting|see|get|not|no)|again$|and again|read it again|check again|not again|once more',
    ],
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
      0.8,
      '(?:put|bring|get|add|move|set|change|switch) (?:it|them|that|those|this|the \\p{L}{2,14}(?: \\p{L}{2,14})?) (?:all )?back|unskip|undo (?:it|this|that|those|everything)|revert|(?:take|taking) (?:that|it|this|them|those|that \\p{L}{2,14}|the \\p{L}{2,14}) out|restore (?:it|them|that|the|those|what)|leave \\S{2,30}(?: \\p{L}{2,14}){0,3} (?:alone|as (?:it|they) (?:was|were|is)|where it is|out of|untouched)|(?:as|how|like|what) (?:it|they) (?:was|were)(?: before)?|back in$|as before|remove (?:it|that|those|this) again',
    ],
    [
      0.55,
      '^(?:please )?(?:keep|leave) (?:the|that|those|my|it|them)|without the \\p{L}{2,14}$|reverted|(?:must|should|has to|have to|needs to) (?:stay|remain)|like to keep|^no new|^not the',
    ],
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
      0.75,
      'shouldnt (?:there|that|this|it|we|you|they)|should (?:have been|ve been|be (?:\\p{L}{2,14} )?(?:plural|like|in|only|at|the))|(?:it )?belongs? (?:in|to|under|here|there|elsewhere)|(?:has|have|had|needs?) to be|use (?:the (?:existing|one)|it|that|our|what) (?:\\p{L}{1,10} ){0,3}(?:instead|already)|must (?:stay|remain|never|not|be)|without (?:a|an|any) (?:confirmation|test|tests|reason|backup|check)',
    ],
    [
      0.5,
      'instead|rather than|not the (?:whole|entire|other)|only$|\\p{N}{1,5} not \\p{N}{1,5}|\\p{L}{3,14} not \\p{L}{3,14}$|not (?:to|on|in|for) \\p{L}{2,14}$',
    ],
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
      0.75,
      '(?:is|its|are|s) (?:still )?(?:used|needed|required|referenced|called|read|imported) (?:in|by|for|from|there)|for a reason|on purpose|intentional(?:ly)?|(?:theres|there is|we have|we already have|we ve got) (?:already )?(?:an? )?(?:\\p{L}{2,14} )?(?:\\p{L}{2,14} )?(?:for (?:that|this|exactly)|already)|(?:there is|theres|theres an?) already|already (?:have|exists?|has|got|had)|gets? (?:overwritten|regenerated)|(?:are|is) generated|legally|our (?:policy|convention|docs|code|style|rule|rules|users|api|tests|schema) (?:is|are|never|always|says?|dont|requires?)|we (?:use|never|dont|always|have no|do that|only)(?! to know)|not allowed|(?:never|always) (?:promise|run|have|say|use|commit|push|merge|edit|touch)',
    ],
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
      0.75,
      'are you sure|you (?:said|say|claim|claimed|told me|wrote|promised)|no it (?:\\p{L}{3,10} )?(?:isnt|doesnt|is not|does not|wasnt|didnt)|(?:isnt|not) (?:accurate|true)|doesnt exist|(?:there is|there are|theres|we have|has) no (?:such )?\\S{2,20}|where did (?:\\p{L}{1,12} ){1,4}go|i (?:still )?(?:dont|cant|cannot) (?:see|find)|supposedly|allegedly|not (?:even )?(?:tested|run|called|true)|if it existed|didnt change|nothing changed',
    ],
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
  ...EN_MANNERS,
};
