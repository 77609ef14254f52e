/** `meanings.ts` parses it and describes the format. */
export const EN = `
you: you u your yours* youre youve ur youd
i: i im ive id ill me my mine myself
we: we us our ours weve were_going lets let_us
party: they them their he she his her him someone somebody anyone people whoever everyone customer_says client_says
  our_customers the_vendor whoever_wrote our_architects provider* lawyer colleague* teammate* boss manager* customer*
  client* designer* marketing legal sales finance intern interns vendor* contractor* predecessor team support qa auditor*
  accountant* pm reviewer* user users ops backend_team somebody_else someone_else upstream dependabot
it: it its itself this that thats these those thing
asked: asked request* wanted meant mentioned told said instruct* wrote explicitly asking requirement* brief was_to hoping
  hoped expect* intended had_in_mind the_point
did: did done do_this does doing went gave took put made have_done has_done invent* made_up touch* modifie* replaced
  rewritten overwr* installed committed pushed ran merged switched turned converted bumped edited hardcoded pasted copying
  introduced included created generated built deployed changed changes changing altered updated moved renamed
make: add include make create write implement build setup extract document translate draft prepare design wire split sort
  migrate port add_a hook_up
remove: remove delete drop take_out clean_up cleanup take_them_out take_it_out clear
removed: removed deleted dropped stripped wiped nuked erased cut gutted killed threw_away lost removes deletes deleting
  removing
change: change update modify adjust edit alter set replace convert switch turn bump upgrade
omit: forgot* forget* misse* miss ignor* overlooked skipp* skip neglected left_out omitted failed_to didnt_bother
  disregarded leaves_out skips dodged
fail: fail fails failing failed failure crash* error* exception throw* hangs timeout times_out timed_out red flaky bug bugs
  leak stuck broken break* blank_page 404 500 502 503 401 nan undefined null stack_trace explodes
broke: broke youve_broken messed screwed ruined destroyed corrupted borked mangled clobbered wrecked regression trashed
  butchered botched
work: work works working worked pass passe* green
undo: undo revert* restore roll_back rollback put_back put_it_back put_that_back put_them_back bring_back bring_it_back
  bring_them_back back_out reset change_it_back change_back changed_it_back undone undid take_it_back go_back switch_back
  back_to_how give_me_back git_checkout git_restore roll_that_back put_those_back bring_those_back
stop: stop abort cancel* enough stopped interrupted killed_it dont_you_dare
keep: keep leave stay stick untouched alone hands_off as_is as_it_was
look: look check read verify see review compare open diff trace profile find find_out look_into
tell: explain show tell_me list describe walk_me give_me
go: commit push merge deploy release publish ship_it ship tag pr pull_request branch continue proceed go_on go_ahead
  carry_on start_with begin resume do_it go_for
own: got_cancelled just_told_me told_me_just just_asked_me got_dropped was_dropped isnt_needed_any_more no_longer_needed
  dont_need_it_any_more we_decided has_changed want_to_look look_at_it_first changed_my_mind second_thought* decided
  thinking_about_it after_all never_mind nvm turns_out talked_to i_forgot_to i_should_have_said i_should_have_mentioned
  forgot_to_say forgot_to_mention by_accident i_just_deleted i_deleted_the_wrong did_nothing_wrong nothing_wrong
  not_your_fault no_fault_of_yours my_mistake my_bad my_fault my_own i_forgot i_misread i_was_wrong on_me i_should_have
  i_pasted wrong_window i_mixed i_deleted i_broke i_gave_you_the_wrong i_wasnt_clear i_was_unclear that_was_me i_undid
  i_reverted
still: still yet
again: again twice third_time second_time once_again every_time keeps keep_doing repeatedly for_the_third for_the_second nth
  how_many_times how_often
now: now today currently at_the_moment right_now anymore any_more no_longer
next: next then afterwards after after_that onto following step
also: also too as_well another more plus besides same_for while_youre_at extra
only: only just nothing_else nothing_more
instead: instead rather rather_than in_place_of as_opposed
already: already exist* have_one theres_one
before: before used_to earlier was were had_been worked_before
not: never not_once not_ever nobody no_one not dont doesnt didnt isnt arent wasnt werent cant cannot couldnt shouldnt
  wouldnt wont havent hasnt hadnt aint nor nothing none neither without nowhere do_not does_not did_not is_not was_not
  can_not should_not
all: all everything everywhere whole entire any anything
no: no nope nah noo nooo noooo non negative uh_uh
why: why where_did what_is_this whats_this where_is where_are wheres why_is why_are why_does why_did why_would
what: what whats how which where when who whose
can: can could would will may might
is: is are do has have am be been was_it
should: should must ought supposed has_to have_to needs_to had_to shouldve should_have mustnt
but: but however except though although yet_the besides_that just_that
please: please pls plz kindly would_you_mind could_you would_you
thanks: thank* thank_you thx ty appreciate* tysm
good: 👍 🎉 good great nice perfect awesome excellent lovely cool fine beautiful amazing brilliant neat sweet wonderful
  fantastic clean lgtm looks_good looks_right well_done good_job nice_work love better best happy exactly_what works_great
  that_works impressive super works_for_me dope sick so_much_better much_better ok okay k yes yeah sure alright agreed
  go_with sounds_good both either option
wrong: wrong* incorrect* false bad off inaccurate invalid untrue nonsense garbage bullshit mistake* misunderst* misread
  mixed_up backwards reversed inverted upside_down the_other_way mess not_true not_right not_correct not_what not_how
  not_like confus* ugly terrible horrible awful useless unacceptable isnt_right not_it
missing: missing gone disappeared vanished empty blank absent lacks lacking lost_my nowhere_to incomplete unfinished half
  left_to half_of halfway partial* remaining leftover
same: same identical unchanged no_change still_the as_before
extra: too_many too_much too_long too_big too_small too_far too_short overkill overengineered over_engineered
  too_complicated complicated bloated verbose unreadable too_slow too_wide unnecessary unneeded unrelated unasked unwanted
  unrequested uncalled needless superfluous redundant out_of_scope scope scope_creep nobody_asked who_asked who_told
  who_said on_your_own without_asking without_my beyond
old: old legacy yesterday since_monday since_last last_week last_month last_year last_night for_weeks for_months for_years
  for_ages years ago months weeks since always_been ancient before_you this_morning monday wednesday thursday friday forever
later: later tomorrow tonight for_now next_week next_sprint lunch coffee meeting standup gotta have_to_go got_to battery brb
  back_in sec kids weekend a_call go_home my_train one_sec one_second one_moment for_a_minute in_a_minute five_minutes
  ten_minutes vacation phone_rang sleep_on for_a_moment meanwhile in_the_meantime
file: file files folder directory module path
new: new fresh
wish: would_be_nice would_be_cool would_be_good itd_be it_would_be id_love nice_to_have can_it_also can_it could_it
  possible_to would_it_be from_now_on from_here_on
use: use using used uses
here: here in_this_project in_this_repo in_our_project around_here
back: back
`;
