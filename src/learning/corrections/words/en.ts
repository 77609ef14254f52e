/** See `../meanings.ts` for how it is read. */
export const EN = `
you: you u your yours youre youve yourself ya ur youd youll yall thou
i: i im ive id ill me my mine myself
we: we us our ours weve were_going lets let_us were_using
they: they them their he she his her him someone somebody anyone people whoever everyone
party: customer_says client_says our_customers the_vendor whoever_wrote who_wrote our_architects provider providers on_call co_author lawyer
  colleague* coworker* teammate* boss manager* customer* client* stakeholder* designer* marketing legal
  sales finance intern interns vendor* contractor* predecessor previous_dev* team support qa auditor*
  accountant* product_owner pm reviewer* user users ops backend_team frontend_team security_team
  somebody_else someone_else upstream dependabot renovate infra_team supplier*
it: it its itself this that thats these those thing dis dat
asked: asked requested specified wanted meant mentioned told said instructed wrote stated explicitly asking
  request requests instructions instruction requirement requirements brief was_to were_to hoping hoped
  expected expecting intended had_in_mind looking_for the_point
want: want wanna need needs would_like id_like wish prefer like_to rather_have need_to want_to
did: did done do_this does doing went gave took put made used using ended_up just_did went_ahead have_done
  has_done decided_to invented invent made_up touching touched touch modified modifies replaced swapped
  rewrote rewritten overwrote overwritten installed committed pushed ran merged switched turned converted
  bumped upgraded downgraded edited hardcoded duplicated copied pasted copying introduced inserted
  included created generated built wired deployed reformatted reordered
add: add append insert include adding introduce
added: added adds
remove: remove delete drop strip take_out get_rid rip_out rm clean_up cleanup take_them_out take_it_out clear
removed: removed deleted dropped stripped wiped nuked erased cut gutted killed threw_away lost removes deletes
  deleting removing
change: change update modify adjust edit alter set replace swap convert switch turn tweak use bump upgrade
changed: changed changes changing alters altered updated
make: make create write implement build generate set_up setup extract refactor document translate draft
  prepare design scaffold wire split sort migrate port extend convert_to add_a hook_up
move: move rename relocate
moved: moved renamed relocated
omit: forgot forget forgotten missed miss ignored ignore ignoring overlooked skipped skip skipping neglected
  left_out omitted failed_to didnt_bother disregarded leaves_out forgets misses skips ignores dodged
fail: fail fails failing failed failure crash crashes crashing crashed error errors errored erroring exception
  throws throwing throw panic hangs hanging timeout times_out timed_out red flaky bug bugs buggy leak
  leaks stuck broken breaks breaking blank_page segfault* 404 500 502 503 401 403 nan undefined null
  nullpointer* traceback stack_trace stacktrace blows_up dies explodes
broke: broke youve_broken messed screwed ruined destroyed corrupted borked mangled clobbered wrecked regression
  trashed butchered botched
work: work works working worked pass passes passing passed green
undo: undo revert reverted restore roll_back rollback put_back put_it_back put_that_back put_them_back
  bring_back bring_it_back bring_them_back back_out reverting reset change_it_back change_back
  changed_it_back undone undid take_it_back go_back switch_back back_to_how give_me_back git_checkout
  git_restore
stop: stop halt abort cancel quit enough cut_it_out knock_it_off stopped cancelled canceled interrupted
  killed_it
wait: wait hold_on hang_on hold_up whoa woah pause hold_off hold easy
keep: keep leave stay retain preserve stick intact untouched alone hands_off as_is as_they_were as_it_was
fix: fix repair solve resolve address correct_it mend patch
fixed: fixed solved resolved fixes fixing
look: look check read verify see inspect review reread compare open debug investigate diff trace profile find
  find_out look_into dig
tell: explain show tell_me summarize summarise list describe walk_me elaborate give_me
redo: redo try_again retry once_more do_it_again start_over another_go another_try from_scratch have_another
ship: commit push merge deploy release publish ship_it ship tag pr pull_request branch squash rebase
run: run rerun execute start launch
go: continue proceed go_on go_ahead carry_on keep_going start_with begin resume do_it go_for move_on
mind: got_cancelled got_canceled was_cancelled been_cancelled is_cancelled just_told_me told_me_just just_asked_me got_dropped was_dropped fell_through now_wants now_want isnt_needed_any_more not_needed_any_more no_longer_needed dont_need_it_any_more we_decided theyve_decided has_changed got_changed want_to_see_it_first want_to_look look_at_it_first want_to_review_first
  changed_my_mind change_of_mind second_thought* on_reflection reconsidered decided weve_decided
  thinking_about_it thought_about_it come_to_think slept_on changed_our_mind* new_plan plans_changed
  plan_changed change_of_plan* requirements_changed scrap_that after_all never_mind nevermind nvm
  forget_it no_longer_need dont_need_it_anymore not_needed_anymore id_rather_now turns_out talked_to
mine: i_forgot_to i_should_have_said i_should_have_mentioned forgot_to_say forgot_to_mention my_spec i_was_the_one i_removed_it_myself myself_by by_accident accidentally i_just_deleted i_deleted_the_wrong i_changed_it_myself did_nothing_wrong nothing_wrong not_your_fault no_fault_of_yours isnt_your_fault
  my_mistake my_bad my_fault my_own i_forgot i_misread i_was_wrong i_mistyped my_typo on_me i_shouldve
  i_should_have i_pasted i_told_you_wrong wrong_window wrong_tab mea_culpa i_mixed i_confused
  i_misremembered i_deleted i_broke i_messed i_accidentally silly_me i_had_it_wrong i_gave_you_the_wrong
  i_sent_the_wrong i_wrote_it_wrong i_wasnt_clear i_was_unclear my_wording i_misled i_was_mistaken
  i_had_forgotten that_was_me i_undid i_reverted wrong_repo i_didnt_mention i_hit
still: still yet
again: again twice third_time second_time once_again every_time keeps keep_doing repeatedly for_the_third
  for_the_second nth how_many_times how_often
now: now today currently at_the_moment right_now suddenly anymore any_more no_longer
next: next then afterwards after after_that onto following step
also: also too as_well additionally another more plus furthermore besides same_for same_thing_for
  while_youre_at ditto likewise extra
only: only just solely nothing_else nothing_more and_nothing
instead: instead rather rather_than in_place_of as_opposed
actually: actually really honestly literally technically in_fact basically
already: already exists existing existed have_one had_one theres_one
before: before previously used_to earlier originally was were prior had_been worked_before until_now back_then
never: never not_once not_ever nobody no_one
always: always every every_single each
all: all everything everywhere whole entire any anything
not: not dont doesnt didnt isnt arent wasnt werent cant cannot couldnt shouldnt wouldnt wont havent hasnt
  hadnt aint nor nothing none neither without nowhere do_not does_not did_not is_not was_not can_not
  should_not
no: no nope nah noo nooo noooo non negative uh_uh
why: why how_come what_for whys
what: what whats
how: how hows
which: which where when who whose whom
can: can could would will may might mind_if
is: is are do has have am be been was_it
should: should must ought supposed shall has_to have_to needs_to had_to shouldve should_have mustnt need_to_be
but: but however except though although yet_the besides_that apart_from other_than only_that only_problem
  just_that
if: if whether unless in_case
because: because cuz since_we so_that since_it due
please: please pls plz kindly would_you_mind could_you would_you
thanks: thanks thank_you thx ty cheers appreciate* appreciated thankyou thank thanx tysm
good: 👍 👌 🎉 ❤ 🙏 good great nice perfect awesome excellent lovely cool fine beautiful amazing brilliant neat sweet
  wonderful fantastic solid clean lgtm looks_good looks_right well_done good_job nice_work love better
  best happy exactly_what spot_on works_great that_works impressive super thrilled delighted pleased
  works_for_me does_the_trick satisfying dope sick chefs_kiss so_much_better much_better
ok: ok okay k kk yes yep yeah yup sure alright agreed fair go_with sounds_good yea aye both either option
sorry: sorry apolog* excuse oops whoops pardon afraid
wrong: wrong incorrect incorrectly false bad off inaccurate invalid untrue nonsense garbage bullshit mistake
  mistaken misunderstanding misunderstood misread wrongly mixed_up backwards reversed inverted upside_down
  the_other_way mess not_true not_right not_correct not_what not_how not_like confused confusing ugly
  terrible horrible awful useless unacceptable
missing: missing gone disappeared vanished empty blank absent lacks lacking lost_my nowhere_to incomplete
  unfinished half left_to half_of halfway partial partially remaining leftover
same: same identical unchanged no_change no_difference no_different still_the as_before exact_same
other: other others different differently elsewhere somewhere_else
excess: too_many too_much too_long too_big too_small too_far too_short overkill overengineered over_engineered
  too_complicated complicated bloated verbose unreadable too_slow too_wide
extra: unnecessary unneeded unrelated unasked unwanted unrequested uncalled needless superfluous redundant
  out_of_scope scope scope_creep nobody_asked no_one_asked who_asked who_told who_said on_your_own
  without_asking without_my beyond
hack: hack hacky workaround cheat* papering paper_over hide hides hiding hid swallow* suppress* silence*
  silenced silencing bypass* hardcode* mock mocked mocking stub stubbed disable disabled disabling
  comment_out commented_out ts_ignore eslint_disable weaken* faked fake band_aid bandaid sweeping rug
  retry_loop sleep loosened loosen relaxed
rule: rule rules convention conventions guideline* style_guide contributing claude_md agents_md readme spec
  specs ticket policy agreed_on standard docs documentation design_doc mockup figma acceptance_criteria
  jira contract schema vendored lockfile read_only public_api codegen autogenerated
old: old legacy yesterday since_monday since_last last_week last_month last_year last_night last_release
  for_weeks for_months for_years for_ages years ago months weeks since always_been ancient long_before
  before_you pre_existing preexisting previously_existing inherited this_morning monday tuesday wednesday
  thursday friday forever
prod: prod production staging ci pipeline server servers machine laptop vpn network internet github gitlab npm
  aws azure docker jenkins registry runner stripe sentry datadog browser chrome safari firefox windows mac
  linux office wifi apple google
later: later tomorrow tonight for_now next_week next_sprint next_month lunch dinner coffee meeting standup
  gotta have_to_go need_to_go got_to battery doorbell brb back_in sec kids weekend a_call go_home
  heading_home a_train my_train one_sec one_second one_moment lunch_break for_a_minute a_few_minutes
  in_a_minute five_minutes ten_minutes afternoon vacation holiday out_of_office phone_rang sleep_on
seem: seem seems looks_like look_like looks appears appear i_think think guess suspect believe feel feels
  sounds i_see i_notice noticed noticing notice saw spotted found seeing see_that
claim: you_said you_told you_claimed claimed claim claims claiming promised you_say you_wrote supposedly
  allegedly apparently according_to_you says_done summary your_message you_mentioned you_reported
  you_just_said lied lie lying pretend* hallucinat* made_that_up imaginary
swear: 🤬 😡 wtf fuck* shit* damn* hell crap* bloody ffs goddamn* stupid idiot* ridiculous omg jesus christ bs
wow: 🙄 wow bravo congrat* genius impressive_that who_needs how_nice how_kind how_generous lovely_that love_how
  love_that love_the_way oh_great oh_good oh_nice oh_wow oh_wonderful ah_yes slow_clap seriously
  really_now lol haha hilarious funny what_could fantastic_job great_job bold creative interesting_choice
  clearly obviously of_course sure_because just_what_i truly magic magically inspired masterpiece
  gold_star
hm: hm hmm hmmm uh um uhm er erm eh ugh argh oh ah huh well mh meh err
test: test tests spec_file suite unit_test* coverage assertion* snapshot
file: file files folder directory module path
code: code function functions method methods class component endpoint table column columns query button page
  screen form field fields config migration script line lines variable import imports helper logic api
  type types
really: so very completely totally absolutely entirely at_all quite pretty even whatsoever
maybe: maybe perhaps possibly what_if how_about what_about could_we should_we can_we might_be i_wonder
  wondering curious
new: new brand_new fresh
first: first initially to_begin second secondly last finally
until: until till as_soon
done: finished complete completed ready
correct: correct properly correctly accurate true
understand: understand know unclear make_sense makes_sense mean means idea clue
issue: issue issues problem problems trouble concern
task: task feature story epic project backlog milestone idea_for
report: reported reports reporting complains complained complaining noticed_in logged ticket_from
diff: the_diff git_diff git_status your_diff your_change your_changes your_fix your_version your_code
  your_last your_edit your_commit your_solution your_patch your_refactor your_answer
whence: where_did what_happened what_is_this whats_this what_are_these where_is where_are wheres why_is why_are
  why_does why_did why_would why_do since_when how_is_this how_does_this_help
outputs: shows displays returns prints renders outputs gives get getting got returned showing shown rendered
right: right
wish: would_be_nice would_be_great would_be_cool would_be_good would_be_lovely would_be_useful itd_be
  it_would_be id_love would_love can_we_have could_we_have could_also how_about_we nice_to_have
  can_it_also could_it_also can_it could_it is_it_possible is_there_a_way any_way_to any_chance
  possible_to would_it_be from_now_on from_here_on going_forward in_future in_the_future one_more_thing
  another_thing while_at_it
number: two three four five six seven eight nine ten twelve twenty hundred thousand zero
`;
