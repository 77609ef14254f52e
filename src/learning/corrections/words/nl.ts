/** See `../meanings.ts` for how it is read. */
export const NL = `
you: je jij jouw jou u uw hebt kun zou_je bent kan_je
i: ik mij me mijn mn heb
we: wij we ons onze laten_we
they: hij zij ze iemand mensen men
party: provider ontwerper wie_heeft_dit
  klant* klanten collega* baas team gebruiker* gebruikers stagiair* marketing juridisch support designer*
  leverancier* qa boekhoud* sales tester* opdrachtgever
it: het dat dit deze die zo
asked: gevraagd gezegd wilde vroeg bedoelde bedoeld geschreven genoemd opdracht eis* verzoek afgesproken
  verwacht verwachtte zei gespecificeerd aangegeven gewild vroeg_om moest_alleen bedoeling
want: wil nodig graag liever wens zou_willen
did: gedaan gebruikt gezet aangeraakt vervangen overschreven herschreven geïnstalleerd gepusht gecommit
  gedraaid gemaakt verzonnen gekopieerd gegenereerd bijgewerkt ingevoerd omgezet gemerged erin_gezet
  bedacht uitgevoerd gestopt_in
add: voeg toevoegen zet_erbij neem_op doe_erbij erbij
added: toegevoegd bijgezet erbij_gezet
remove: verwijder haal_weg weghalen gooi wis ruim_op eruit schrap
removed: verwijderd weggehaald gewist weggegooid gesloopt geschrapt eruit_gehaald
change: wijzig verander pas_aan update vervang gebruik zet aanpassen stel
changed: gewijzigd veranderd aangepast wijziging* aanpassing*
make: maak schrijf implementeer bouw genereer vertaal refactor documenteer bereid_voor creëer richt
move: verplaats hernoem
moved: verplaatst hernoemd
omit: vergeten vergat vergeet gemist genegeerd negeert overgeslagen weggelaten over_het_hoofd
fail: fout fouten faalt falen gefaald crasht crash stuk kapot exception rood bug bugs hangt werkt_niet
  doet_het_niet klapt foutmelding timeout leeg undefined null 500 404 mislukt flaky breekt
broke: kapotgemaakt verpest vernield verknald stukgemaakt kapot_gemaakt regressie verprutst
work: werkt werken slaagt slagen groen doet_het loopt draait
undo: terugdraaien draai_terug terug herstel ongedaan revert revertten rollback zet_terug teruggezet
  teruggedraaid haal_terug terugzetten
stop: stop halt ophouden hou_op genoeg afbreken afgebroken kappen gestopt
wait: wacht momentje even_wachten ho rustig pauze seconde
keep: laat hou houd behoud laten blijf afblijven ongemoeid blijven
fix: fix repareer los_op corrigeer verhelp
fixed: gefixt gerepareerd opgelost gecorrigeerd verholpen
look: kijk check controleer lees bekijk zie vergelijk zoek onderzoek nakijken vind
tell: leg_uit vertel toon laat_zien beschrijf vat geef zeg
redo: opnieuw probeer nog_eens van_voren overnieuw
ship: commit push merge deploy publiceer release pr branch uitrollen
run: draai start voer_uit run
go: ga_door verder doorgaan ga_verder begin vooruit ga_maar ga_je_gang
mind: gaat_niet_door is_afgeblazen geannuleerd wil_nu eerst_bekijken eerst_kijken eerst_naar_kijken
  van_gedachten bedacht_me bij_nader nagedacht besloten toch_liever laat_maar niet_meer_nodig
  planwijziging toch_maar uiteindelijk inmiddels
mine: ik_was_vergeten vergeten_te_zeggen vergeten_te_vermelden had_moeten_zeggen ik_heb_zelf per_ongeluk niet_jouw_schuld verkeerde_toets ikzelf
  mijn_fout mijn_schuld ik_heb_me vergist mijn_vergissing ik_vergat ben_ik_vergeten verkeerde_venster
  had_ik ik_had zelf_gedaan foutje_van_mij aan_mij
still: nog_steeds nog altijd_nog steeds
again: weer alweer wederom derde_keer tweede_keer hoe_vaak elke_keer telkens steeds_weer voor_de_zoveelste
now: nu momenteel vandaag ineens plotseling
next: daarna dan vervolgens volgende hierna
also: ook bovendien daarnaast nog_een hetzelfde_voor tevens eveneens extra
only: alleen enkel slechts gewoon
instead: in_plaats plaats liever_dan maar_juist
actually: eigenlijk echt werkelijk feitelijk eerlijk
already: al reeds bestaat bestaande bestond er_is_al hebben_we_al
before: eerst vroeger eerder was waren oorspronkelijk werkte voorheen daarvoor
never: nooit niemand
always: altijd elke elk iedere
all: alle alles overal hele gehele allemaal
not: niet geen niks niets zonder nergens noch
no: nee neen nope nah
why: waarom hoezo waarvoor
what: wat
how: hoe
which: welke waar wanneer wie
can: kan kunt zou mag kunnen
is: is zijn heeft hebben wordt staat
should: moet moeten moest hoort zou_moeten mag_niet dient hoeft hoefde behoort
but: maar echter behalve toch hoewel op_na afgezien
if: als indien of
because: omdat want zodat aangezien
please: alsjeblieft aub svp alstublieft
thanks: bedankt dank dankjewel thanks dankje
good: 👍 👌 🎉 ❤ 🙏 goed super perfect mooi top prima netjes fijn geweldig uitstekend beter keurig lekker blij ziet_er_goed
  klopt
ok: ok oké ja akkoord okay okee jawel beide
sorry: sorry helaas excuus jammer
wrong: verkeerd onjuist onzin slecht mis verkeerde misverstand klopt_niet omgekeerd door_elkaar lelijk
  vreselijk onbruikbaar rommel nergens_op begrepen incorrect waardeloos
missing: ontbreekt ontbreken mist weg verdwenen kwijt onvolledig half helft missen ontbrekende
same: zelfde hetzelfde dezelfde identiek ongewijzigd
other: andere ander anders elders
excess: te_veel te_lang te_groot te_ingewikkeld overdreven onleesbaar teveel omslachtig
extra: onnodig* overbodig* ongevraagd niemand_vroeg wie_heeft op_eigen_houtje zonder_te_vragen buiten_scope
  niets_mee_te uit_jezelf eigen_initiatief
hack: hack workaround omweg verstop* verberg* uitgecommentarieerd uitgezet uitgeschakeld hardcoded gehardcode
  mock gemockt valsspelen vals pleister omzeild onderdruk* sjoemel* sleep verdoezel*
rule: regel regels conventie* afspraak afspraken richtlijn* specificatie spec ticket contributing agents_md
  claude_md documentatie standaard gegenereerd* ontwerp mockup readme contract schema
old: oud oude gisteren sinds vorige afgelopen weken maanden jaren jaar legacy destijds maandag vanmorgen
  vanochtend al_jaren
prod: productie prod staging ci server pipeline netwerk vpn github gitlab docker jenkins npm browser machine
  laptop chrome internet aws live
later: later morgen voorlopig straks volgende_week lunch vergadering meeting koffie accu trein telefoontje
  vanavond weekend voor_nu
seem: lijkt denk geloof zie_dat zag merk gemerkt blijkt volgens_mij vermoed opgevallen
claim: je_zei je_zegt beweert beweerde volgens_jou beloofd zogenaamd je_schreef je_hebt_gezegd gelogen
swear: 🤬 😡 verdomme shit kut klote godver* verdorie hel wtf tering
wow: 🙄 wow bravo gefeliciteerd hoera fantastisch serieus briljant natuurlijk wie_heeft_er lekker_dan mooi_hoor
  fijn_dat haha lol magisch knap echt_waar
hm: hm hmm eh euh ach oh ah nou tja pff
test: test tests testen suite dekking
file: bestand bestanden map module pad
code: code functie functies methode klasse component endpoint tabel kolom kolommen query knop pagina formulier
  veld velden config configuratie migratie script variabele import type scherm
really: heel volledig totaal helemaal absoluut zelfs erg
maybe: misschien wellicht eventueel wat_als hoe_zou kunnen_we benieuwd nieuwsgierig
new: nieuw nieuwe
first: eerste allereerst tweede ten_eerste eindelijk tenslotte
until: tot totdat zodra
done: klaar gereed af
correct: correct juist terecht
understand: begrijp snap weet duidelijk zin idee
issue: probleem problemen
task: taak feature project verhaal
report: gemeld melden meldt klaagt klagen
diff: diff jouw_wijziging je_wijziging jouw_wijzigingen je_code jouw_code je_fix jouw_fix jouw_versie
  je_commit je_oplossing je_aanpassing
whence: waar_is waar_zijn wat_is_dit wat_is_er sinds_wanneer waarom_heb waarom_is waarom_staat wat_doet
outputs: toont geeft levert krijg verschijnt komt_er
number: twee drie vier vijf zes zeven acht negen tien twaalf twintig honderd duizend nul
wish: zou_mooi_zijn zou_fijn_zijn zou_handig zou_leuk vanaf_nu in_de_toekomst voortaan is_het_mogelijk
  kun_je_ook kan_dat trouwens
`;
