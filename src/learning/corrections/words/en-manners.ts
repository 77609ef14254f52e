import type { LanguageWords } from './language-words.ts';

/** Fault that is found in a roundabout way. */
export const EN_MANNERS: Pick<LanguageWords['faults'], 'polite' | 'sarcasm'> = {
  polite: [
    [
      0.7,
      'unfortunately|im afraid|sorry to|i appreciate|would you (?:mind|be so kind)|i (?:noticed|wonder|suspect|believe|may be|might be)(?! why)|(?:small|tiny|little|one) (?:mistake|problem|issue|correction|remark|nit|thing)|though$|though (?:the|it|its|that|there)|shouldnt there|could we (?:do|keep|leave|avoid|not|stick|use)|could you (?:please )?(?:limit|restore|bring|put|keep|leave|undo|revert|avoid|stick|check|use|reconsider|remove|take)|id (?:prefer|rather|actually|much rather|appreciate)|it currently|currently|at the moment|right now it|not quite|seems? (?:like|to|that)|looks like|please (?:check|dont|do not|avoid|stick|keep|leave|stop)',
    ],
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
      0.8,
      'who needs|what could (?:possibly|go)|how (?:generous|nice|thoughtful|kind|creative|helpful|lovely|convenient|clever|original|bold|refreshing)|a classic|remember when|good times|an achievement|by that logic|because when i|because (?:who|why|obviously|of course|clearly)|love (?:how|that|the way|the)|sure (?:its|it is|disk|if|why not|because)|so much (?:cleaner|better|faster|nicer|easier)|(?:would|could) be even better|ah yes|oh (?:wow|great|good|nice|cool|lovely|wonderful|perfect|a|so|look|joy|brilliant)|enterprise|we can call it|why not|if you dont count|silly me|my favou?rite|somehow|magically|congrat\\p{L}{0,10}|i obviously|obviously|truly|slow clap|works like a charm|what a (?:relief|surprise|coincidence|treat|gem)|bold|inspired|masterpiece|work of art|cherry on|gift|can t wait|cant wait|glad (?:we|you|i|to see)|nothing says|if only|imagine',
    ],
    [
      0.5,
      'apparently|except (?:the|for|that|when|it)|i guess|clearly|of course|right$|wow|bravo|brilliant|genius|wonderful|fantastic|impressive|amazing|well that|at least',
    ],
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
};
