/** See `../meanings.ts` for how it is read. */
export const DE = `
you: du dein* dir dich hast bist kannst sollst solltest könntest würdest hättest hattest machst willst ihr
  euch euer sie_haben sie_sollten warst wolltest
i: ich mir mich mein* hab habe
we: wir uns unser* lass_uns
they: er jemand man leute niemand_anders irgendwer die_leute
party: anbieter provider wer_hat_das_geschrieben designerin
  kunde* kunden* kollege* kollegin chef* kollegen praktikant* team nutzer* anwender* benutzer* tester*
  support vertrieb marketing rechtsabteilung designer* dienstleister* vorgänger* qa fachabteilung po
  auftraggeber* backend-team wartung lieferant*
it: es das dies dieses diese dieser sowas ding das_da
asked: gesagt gebeten verlangt gewünscht wollte gemeint geschrieben gefragt erwähnt bestellt auftrag
  anforderung* vorgabe* sollte_nur gefordert ausgemacht abgesprochen vereinbart besprochen erwartet
  gewollt beauftragt gedacht_war bat sagte meinte wollte_ich
want: will möchte brauche brauchen hätte_gern* hätte_gerne würde_gern* wünsche bräuchte bevorzug* lieber
did: gemacht getan hingeschrieben benutzt verwendet genommen eingebaut angefasst ersetzt überschrieben
  ausgetauscht installiert gepusht committed committet commitet gemergt ausgeführt umgestellt kopiert
  erfunden ausgedacht erstellt angelegt umgeschrieben geschrieben_hast gebaut eingeführt reingepackt
  gelassen gesetzt gestellt hochgezogen umformatiert dupliziert geraten
add: hinzufügen ergänze* füge füg einbauen ergänzen bau_ein dazu pack
added: hinzugefügt ergänzt dazugeschrieben reingemacht reingeschrieben
remove: entferne* entfern lösch* lösche weg rausnehmen rausschmeißen wirf schmeiß raus wegwerfen nimm_raus
  aufräumen
removed: gelöscht entfernt rausgeworfen weggeworfen rausgeschmissen weggemacht gestrichen rausgenommen
  rausgelöscht weggelassen verworfen gekürzt
change: ändere ändern änder anpassen pass aktualisiere* nutze nutz verwende nimm setz setze stell stelle ersetz*
  tausch* umstellen benutze
changed: geändert verändert angepasst umgebaut verstellt aktualisiert änderung* umgekrempelt
make: mach mache erstell* erstelle schreib schreibe bau baue implementier* leg lege generier* richte übersetz*
  refactor* extrahier* entwirf dokumentier* portier* bereite sortier* teile
move: verschieb* benenne umbenennen
moved: verschoben umbenannt verlegt
omit: vergessen vergisst übersehen ignoriert ignorierst ausgelassen übersprungen unterschlagen ausgeblendet
  versäumt nicht_beachtet missachtet überlesen
fail: fehler fehlschlag* schlägt scheitert abgestürzt stürzt absturz crasht bricht rot kracht knallt kaputt
  wirft hängt fehlgeschlagen bug bugs exception defekt läuft_nicht geht_nicht funktioniert_nicht tut_nicht
  leer flaky timeout undefined null 500 404 klemmt
broke: zerschossen zerstört kaputtgemacht ruiniert verhunzt geschrottet zerlegt versaut verbockt kaputt_gemacht
  verschlimmbessert vermurkst
work: funktioniert läuft geht klappt tut passt grün durch bestanden
undo: rückgängig zurück zurücksetzen zurückdrehen revert reverte revertier* zurücknehmen wiederherstellen
  stell_wieder wieder_her rollback zurückgesetzt zurückgenommen zurückgedreht mach_das_weg wieder_raus
  wieder_rein zurückrollen
stop: stopp stop halt abbrechen aufhören hör_auf schluss abgebrochen brich reicht gestoppt lass_das finger_weg
wait: warte moment stopp_mal halt_mal langsam pause sekunde augenblick
keep: behalt* lass lassen bleib* belass* so_lassen unangetastet bewahr* bleiben beibehalten erhalten
fix: fix beheb* reparier* löse korrigier* fixe bügel*
fixed: behoben repariert gefixt gelöst korrigiert
look: schau schaue guck prüf* überprüf* lies sieh ansehen anschauen check teste vergleich* untersuch* finde
  such
tell: erklär* zeig* sag sage beschreib* fass liste nenn erzähl*
redo: nochmal_von versuch* noch_einmal von_vorne nochmal_neu neu_machen probier*
ship: commit committe push pushe merge deploy* veröffentlich* release pr branch einchecken ausrollen rebase
run: starte starten ausführen führ laufen_lassen lass_laufen
go: weiter mach_weiter fahr_fort leg_los los fang_an fortfahren nur_zu
mind: abgesagt abgeblasen hat_sich_geändert wurde_gestrichen will_jetzt_doch wollen_jetzt gerade_erfahren erst_ansehen erst_anschauen will_es_mir_erst nicht_mehr_gebraucht nicht_mehr_nötig
  anders_überlegt umentschieden doch_lieber nach_reiflicher* meinung_geändert entschieden überlegt
  planänderung hat_sich_erledigt vergiss_es hinfällig umgeplant doch_nicht_mehr brauchen_wir_nicht_mehr
  egal verworfen_wir anforderung*_geändert inzwischen
mine: ich_hatte_vergessen ich_hätte_sagen hätte_sagen_sollen vergessen_zu_sagen vergessen_zu_erwähnen ich_selbst selbst_gelöscht selber_gelöscht aus_versehen versehentlich nicht_deine_schuld ich_habe_selbst habe_ich_selbst
  mein_fehler meine_schuld ich_hab_mich ich_habe_mich hab_mich_vertan vertippt ich_hatte falsch_kopiert
  vertan mein_versehen von_mir ich_hab_vergessen habe_ich_vergessen falsches_fenster verwechselt_ich
  ich_hätte hätte_ich
still: immer_noch noch_immer weiterhin nach_wie_vor noch
again: wieder schon_wieder erneut nochmal nochmals zum_dritten zum_zweiten wie_oft ständig zigmal jedes_mal
  abermals
now: jetzt nun aktuell momentan gerade plötzlich mittlerweile derzeit
next: als_nächstes danach dann anschließend nächste* dann_noch
also: auch außerdem zusätzlich noch_ein* noch_eine ebenfalls ebenso genauso dazu_noch gleiche_für dasselbe_für
  weitere*
only: nur bloß lediglich ausschließlich
instead: stattdessen statt anstatt anstelle sondern vielmehr
actually: eigentlich tatsächlich ehrlich in_wirklichkeit wirklich
already: schon bereits gibt_es_schon existiert vorhandene* bestehende* gab_es haben_wir_schon
before: vorher früher zuvor davor ursprünglich war waren bisher lief_vorher
never: nie niemals nirgends niemand keiner
always: immer stets jedesmal
all: alle alles überall ganze* gesamt* jede* sämtliche*
not: nicht kein* nichts ohne weder nix ned net keinesfalls
no: nein nee nö ne nope
why: warum wieso weshalb wozu wofür weswegen
what: was
how: wie
which: welche* wo wann wer wen wohin woher
can: könnte würde darf könnten
is: ist sind gibt hat haben wird werden
should: soll sollte sollten muss müssen sollen müsste gehört dürfen darf_nicht hätte_sollen gedacht
but: aber allerdings jedoch doch nur_dass außer trotzdem dennoch bis_auf abgesehen
if: wenn falls ob sofern
because: weil da denn damit deshalb wegen
please: bitte
thanks: danke dank dankeschön merci vielen_dank
good: 👍 👌 🎉 ❤ 🙏 gut super prima toll perfekt klasse schön sauber spitze passt_so sieht_gut top wunderbar genial
  hervorragend besser gefällt freut großartig stimmt
ok: ok okay ja jo jep klar einverstanden alles_klar jup in_ordnung gerne beides
sorry: sorry entschuldig* leider tut_mir_leid pardon ups
wrong: falsch fehlerhaft unsinn quatsch blödsinn mist schlecht verkehrt irrtum missverst* stimmt_nicht
  verwechselt durcheinander verdreht unbrauchbar schlimm daneben inkorrekt käse müll murks ungültig
  nicht_richtig hässlich katastroph*
missing: fehlt fehlen weg_ist verschwunden unvollständig halb hälfte lücke verloren unfertig futsch fehlende*
same: gleiche* gleich selbe* dasselbe identisch unverändert genau_wie_vorher
other: andere* anders anderswo woanders
excess: zu_viel zu_viele zu_lang zu_groß zu_klein zu_kompliziert übertrieben aufgebläht overkill unübersichtlich
  zu_langsam zu_weit
extra: unnötig* überflüssig* ungefragt eigenmächtig ungebeten unaufgefordert wer_hat_gesagt wer_hat_dir
  niemand_hat keiner_hat auf_eigene_faust ohne_zu_fragen nicht_gewünscht scope hat_nichts_zu_suchen
  nebenbei ungewollt
hack: hack workaround gemogelt schummel* vertusch* versteck* verschluckt unterdrück* auskommentiert
  deaktiviert abgeschaltet ausgeschaltet ausgehebelt hartkodiert hardcoded hartcodiert gemockt pfusch
  umgangen flicken pflaster aufgeweicht sleep überdeck*
rule: regel* konvention* richtlinie* vorschrift* styleguide spezifikation ticket contributing agents_md
  claude_md doku dokumentation abmachung standard generiert* mockup entwurf schema readme vertrag
old: alt alte* gestern seit letzte* legacy damals jahren jahre monaten wochen vor_deiner vor_dir altlast*
  schon_immer montag historisch heute_morgen ewig
prod: produktion prod staging ci pipeline server rechner laptop netz vpn internet github gitlab jenkins docker
  npm browser aws live
later: später morgen erstmal fürs_erste nächste_woche nachher mittag mittagessen meeting besprechung termin
  feierabend pause_machen muss_los kaffee akku zug wochenende minuten essen gleich_wieder heute_abend
  telefon
seem: scheint sieht_aus sieht_so_aus glaube denke vermute merke bemerkt gesehen finde_ich wirkt fällt_auf
  aufgefallen sehe
claim: du_sagst du_sagtest behauptet behauptest angeblich laut_dir versprochen du_schreibst du_schriebst
  du_meintest deine_aussage von_wegen gelogen erfunden_hast hast_du_gesagt
swear: 🤬 😡 verdammt scheiß* scheiße verflucht blöd* idiot* herrgott zum_teufel kacke fuck wtf himmel
wow: 🙄 wow bravo glückwunsch großartig_dass na_toll na_super na_prima wie_schön wie_nett genial_dass klar_weil
  wer_braucht meisterleistung respekt ernsthaft im_ernst lustig super_idee hurra chapeau ironie haha lol
  offensichtlich natürlich
hm: hm hmm äh ähm naja tja oh ach och hä mh ehm uff puh also
test: test tests testfall testfälle suite abdeckung coverage snapshot
file: datei dateien ordner verzeichnis modul pfad
code: code funktion funktionen methode komponente endpunkt tabelle spalte spalten abfrage button seite
  formular feld felder config konfiguration migration skript zeile zeilen variable import knopf typ
really: so sehr komplett völlig total absolut ganz überhaupt gar sogar echt einfach
maybe: vielleicht eventuell evtl was_wäre wie_wäre könnten_wir sollten_wir frage_mich neugierig interessier*
new: neu neue*
first: erst zuerst zunächst erstens zweitens letztens schließlich endlich
until: bis sobald
done: fertig erledigt abgeschlossen
correct: richtig korrekt ordentlich
understand: verstehe verstanden versteh weiß klar_ist unklar sinn bedeutet ahnung
issue: problem probleme thema
task: aufgabe feature story projekt
report: melden gemeldet meldet beschwer* beschwert
diff: diff deine_änderung deine_änderungen dein_fix dein_code deine_version dein_commit deine_lösung
  deinem_fix deiner_änderung
whence: wo_ist wo_sind was_ist_das was_soll was_ist_mit wo_ist_hin seit_wann was_macht was_hat wieso_ist
  warum_ist warum_hast wieso_hast warum_sind
outputs: zeigt liefert kommt gibt_zurück kriege bekomme angezeigt erscheint
number: zwei drei vier fünf sechs sieben acht neun zehn zwölf zwanzig hundert tausend
wish: wäre_schön wäre_super wäre_toll wäre_gut wäre_nett ab_jetzt ab_sofort künftig in_zukunft geht_das
  ginge_das gibt_es_eine lässt_sich kann_man kannst_du_auch könntest_du_noch noch_was
`;
