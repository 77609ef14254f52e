/** What GuardKit promises. Each promise is cited by the names of the tests that hold it, as [ID]. */
export const REQUIREMENTS = {
  'ARCH-1': 'Layers are ranked, imports go downwards only, and there are no cycles.',
  'ARCH-2': 'Lock files name packages by version, never by the address they came from.',
  'START-1':
    'Printing the version loads nothing else; a database driver is loaded only when a store is opened.',
  'START-2':
    'An installed package makes the code cache for the Node that it meets, and works the same without it.',
  'MEM-1': 'A record that was acknowledged survives the death of the process at any moment.',
  'MEM-2': 'Many processes writing at once lose nothing and double nothing.',
  'MEM-3': 'What is read is exactly what was written, in every version of it.',
  'MEM-4': 'Writing the same thing again changes nothing.',
  'MEM-5': 'Every read can look back: at what was true, and at what was known, at any moment.',
  'MEM-6':
    'A body that does not fit its type is refused on writing and named on reading, with the path of each fault.',
  'MEM-7': 'Both backends answer alike.',
  'MEM-8': 'An import is whole or does not happen, and the same file twice changes nothing.',
  'FIND-1': 'An exact id is always found first.',
  'FIND-2': 'Search answers any text without error, with scores from 0 to 1 in a stable order.',
  'FIND-3': 'Identifiers are found whole and by their parts.',
  'FIND-4': 'An embeddings endpoint that is down or slow costs nothing but the vectors.',
  'SEC-1': 'Secrets in free text are scrubbed before they are hashed and stored.',
  'SEC-2': 'A database password appears in no output.',
  'SEC-3': 'Controlled groups are changed only by GuardKit and by a person at a terminal.',
  'SEC-4': 'What is stored cannot control the terminal it is shown on.',
  'LEDGER-1': 'One hash chain a project, however many processes append at once.',
  'LEDGER-2': 'Any changed, removed or reordered entry is found, and the first is named.',
  'LEDGER-4': 'A record that GuardKit did not sign has no effect, and doctor and `ledger verify` name it.',
  'LEDGER-3':
    'What the ledger holds for the store arrives there once and in order, however long the store was away.',
  'PULL-1':
    'Rules that an agent pulls are in force if a trusted branch has them, and otherwise stay without effect.',
  'PULL-2': 'An agent cannot make a commit look like one of a trusted branch.',
  'SELF-1': 'This repository follows its own rules: its graph matches its folders, imports and decisions.',
  'GRAPH-1':
    'What Graphviz reads is read with the same meaning; what it refuses is refused, with line and column.',
  'GRAPH-2':
    'Many processes updating the graph at once lose no update, and a kill never leaves a broken file.',
  'GRAPH-3': 'An update of the graph changes what was asked and not a byte beside it, or nothing.',
  'GRAPH-4': 'An update of the graph is refused for faults that it adds, never for those that were there.',
  'GRAPH-5':
    'Every change of the architecture graph by GuardKit’s tool or an approved turn is in its history.',
  'RULE-1': 'Roles resolve to the stored values, or to the same built-in ones when the store is away.',
  'RULE-2': 'Additions extend a role and replace nothing.',
  'RULE-3': 'Resolving writes nothing and changes no default.',
  'RULE-4': 'Every task type and complexity resolves to exactly one profile.',
  'RULE-5':
    'Overrides file, then project file, then system group, then built-in; each value says where it comes from.',
  'RULE-6': 'Files that say nothing resolve like no files at all.',
  'RULE-7':
    'A store that is missing, damaged, locked or unreachable costs nothing but the advice, and is named.',
  'RULE-8': 'What seeding writes and what holds without a store are one constant.',
  'RULE-9': 'Seeding after an edit updates exactly what changed and keeps its history.',
  'RULE-10':
    'A fault in a file comes with its place, what was found and the likely fix; all of them at once.',
  'CLI-1': 'Exit codes: 0 done, 1 the answer is no, 2 wrong use, 3 something outside failed.',
  'CLI-2': '--json gives exactly one JSON document on standard output, for errors too.',
  'CLI-3': 'Seeding twice changes no row.',
  'CLI-4':
    'A damaged, foreign, newer, locked or unreachable store is a short error with a remedy, and stays as it was.',
  'VERIFY-1':
    'Tests pass only by name and by exit code, in a run of GuardKit’s own; none executed is absent.',
  'VERIFY-2': 'Coverage is what this run measured on the changed lines, or it is absent.',
  'VERIFY-3': 'What the commands run through is as the base has it, or a person accepted the change.',
  'VERIFY-4': 'New tests fail without the change they come with.',
  'VERIFY-5': 'No test is lost, skipped or emptied unless a person said so.',
  'VERIFY-6':
    'Nothing that a repository configures runs in GuardKit’s own git calls, or leads them elsewhere.',
  'VERIFY-7': 'Every run is in the ledger, with what ran, its result and the tree it ran on.',
  'VERIFY-8': 'Commands, thresholds and criteria are the base’s; a candidate cannot change how it is judged.',
  'VERIFY-9':
    'A change leaves the architecture graph readable, with no fault that its base does not have, and does not delete it.',
  'VERIFY-10':
    'A test that the change alters passes in its base version, or the new expectation is declared on the base or accepted.',
  'CI-1':
    'On another machine a branch is judged by the rules of its base alone; no record or file that it brings counts.',
  'CI-2':
    'A branch that changes how work is judged fails with the reason, unless a waiver on its base permits it.',
  'CI-3': 'No text of a branch acts in a log, a summary, an annotation or a report.',
  'ATTEST-3': 'In a sandbox, tests and agents cannot read the key that signs results.',
  'ATTEST-1': 'An attestation states what was verified on which commit, and any change of it is noticed.',
  'ATTEST-2': 'An attestation that is forged, foreign, replayed, expired or unsigned counts for nothing.',
  'DONE-1':
    'Only a verification that passes on the files as they are makes a feature tested; a change of them takes it back.',
  'DONE-2':
    'Whatever is written into the list of features, no field of GuardKit’s changes, and no agent loses a feature or a criterion.',
  'DONE-3': 'The list of features is there and says what the ledger says, whatever was put in its place.',
  'GUARD-1':
    'An action is judged before it happens by what would come of it, whatever tool or words it uses.',
  'GUARD-2':
    'What an agent changed and must not is put back when its action is over, and whatever it left running, and is on record.',
  'GUARD-3':
    'What a sandbox keeps from an agent it cannot write, and whatever it says out of there gains it nothing.',
  'GUARD-4': 'A hook that cannot judge refuses; what a person says is never refused.',
  'GUARD-5':
    'Only a person lets a guard be passed; what only a person may do is refused to an agent, however it hides, and recorded.',
  'GUARD-6': 'That hooks hold is shown by a live refusal through the wiring as it is installed.',
  'GUARD-7':
    'Wiring changes nothing else in a file, and taking it out leaves the file as it was, to the byte.',
  'GUARD-8': 'No attack of the red team reaches anything, and each is on record.',
  'GUARD-9': 'What is harmless passes untouched and unblamed.',
  'GUARD-10':
    'Whatever a hook is asked, it does not crash, lets nothing pass by an error, and does not take long.',
  'BUILD-1':
    'Nothing is approved but on gates that passed and on evidence that exists, whatever a Coach says.',
  'BUILD-2': 'A kill at any moment loses and doubles no judged turn, and the build goes on from there.',
  'BUILD-3': 'A turn is on its ref before it is judged, and nothing is discarded that is on no ref.',
  'BUILD-4': 'The person’s own checkout stays as it is.',
  'BUILD-5': 'What was verified stays verified until evidence says otherwise.',
  'BUILD-6': 'A turn is told what the one before it learned; a rejection is set apart.',
  'BUILD-7': 'No field of a turn is empty that the turn could know.',
  'BUILD-8': 'A feature is built once at a time; builds of different features do not disturb each other.',
  'BUILD-9': 'Every stop says what a person should do next; only an approval is exit 0.',
  'BUILD-10': 'What agents cost is recorded and counts, however their runs end.',
  'BUILD-11': 'Every driver keeps the same contract.',
  'BUILD-12': 'No Player runs without a plan.',
  'SESSION-1': 'A session completes a feature only on evidence, whatever its agents say.',
  'SESSION-2': 'The second failed attempt blocks a feature, with what was tried and a question for a person.',
  'SESSION-3': 'A session loses no feature, and comes to its end by itself.',
  'SESSION-4':
    'Inside an agent’s program a session is driven only where a person asked for it, and a person’s word goes first.',
  'MANY-1':
    'With workers, what builds record is in one chain on the server: an earlier claim cannot write, and no turn is judged twice.',
  'MANY-2':
    'Workers on several machines build queued features in parallel and complete them one after the other on one branch.',
  'MANY-3': 'Another worker continues the feature of one that died or hangs, at the turn it was in.',
  'RUN-1':
    'A run asks nobody: it builds, verifies and stacks feature after feature, and leaves what is a person’s alone.',
  'RUN-2': 'A run that was killed or interrupted goes on where it was, and a project has one at a time.',
  'RUN-3':
    'Features that an agent made are built only if they can be verified and need each other in an order.',
  'LEARN-1': 'What enforcement, gates, Coaches and people did becomes a trace, once, and none is lost.',
  'LEARN-2': 'What agents did is kept so that a guard can be tried on it, within limits, without secrets.',
  'LEARN-3': 'Corrections by a person are noticed, precisely rather than eagerly, with what they rest on.',
  'LEARN-4': 'An agent is told the precedents before it decides, and what is recalled is not stored again.',
  'LEARN-5': 'Whoever is no person cannot tell of a trace in another’s name.',
  'LEARN-6':
    'A pattern needs several sessions and features; neither one noisy session nor what agents say of themselves makes one.',
  'LEARN-7':
    'A learned guard only watches until a person, or limits that a person set, let it act; one that is wrong only watches again.',
  'LEARN-8': 'What failed again and again, and what ended it, is told to the next agent that meets it.',
  'LEARN-9':
    'No text of a trace becomes code, a command, or a pattern that fits more than what was attempted.',
  'MCP-1':
    'Whoever calls a tool has an agent’s rights: it sets no `tested`, waives and promotes nothing, and speaks in nobody else’s name.',
  'MCP-2': 'A server of tools says nothing but messages, and a call that is wrong is told how to be right.',
  'DASH-1': 'Only a page opened with a ticket reads the dashboard’s data, and a ticket is used once.',
  'DASH-2': 'Other sites and other names get nothing from the dashboard.',
  'DASH-3': 'The dashboard loads nothing from elsewhere, and texts of agents and files never become markup.',
  'DASH-4': 'A page that reconnects misses no ledger entry and gets none twice.',
  'MCP-3': 'Logs are asked without being held in memory, and nothing but logs of the project is.',
} as const;
