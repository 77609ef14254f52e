/** `meanings.ts` parses it and describes the format. */
export const DE = `
you: du dein* dir dich hast kannst sollst könntest würdest hattest* ihr
i: ich mir mich mein* hab habe
we: wir uns unser*
party: er jemand man leute die_leute designer* kunde* kolleg* chef* praktikant* team support dienstleister* lieferant*
it: es das diese* sowas
asked: gesagt gebeten verlangt gewünscht wollte gemeint geschrieben gefragt sollte_nur erwartet sagte meinte wollte_ich
did: gemacht verwendet einge* geändert änderung* umbenannt
make: erganze* füg einbauen dazu mach schreib* bau übersetz* refactor* dokumentier* sortier*
remove: entferne* losch* weg raus
removed: gelöscht entfernt rausge* wegge* gestrichen verworfen gekürzt
change: ändere ändern anpassen pass stell* ersetz* umstellen
omit: vergessen vergisst übersehen ignorier* ausgelassen übersprungen unterschlagen ausgeblendet versäumt nicht_beachtet
  missachtet überlesen
fail: fehler schlägt stürzt absturz rot knallt kaputt hängt exception geht_nicht funktioniert_nicht flaky timeout
broke: zerschossen zerstört kaputtgemacht ruiniert verhunzt geschrottet zerlegt versaut verbockt kaputt_gemacht
  verschlimmbessert vermurkst
work: funktioniert läuft geht klappt passt grün durch
undo: rückgängig zuruck* revert* wiederherstellen stell_wieder wieder_her rollback mach_das_weg wieder_raus wieder_rein
  nimm_zurück
stop: stopp halt schluss reicht lass_das finger_weg
keep: behalt* lass lassen bleib*
look: schau* prüf* lies sieh ansehen vergleich* finde
tell: erklär* zeig* sag liste
go: commit push merge deploy* release branch ausrollen rebase weiter mach_weiter
own: abgesagt will_jetzt_doch erst_ansehen will_es_mir_erst anders_überlegt doch_lieber entschieden überlegt egal
  ich_hatte_vergessen ich_hätte_sagen hätte_sagen_sollen vergessen_zu_sagen vergessen_zu_erwähnen ich_selbst versehentlich
  ich_habe_selbst mein_fehler ich_hab_mich hab_mich_vertan vertan von_mir
still: immer_noch noch_immer weiterhin nach_wie_vor noch
again: wieder schon_wieder erneut nochmal* zum_dritten zum_zweiten wie_oft ständig zigmal jedes_mal abermals
now: jetzt aktuell momentan gerade plötzlich
next: als_nächstes danach dann nächste*
also: auch außerdem zusätzlich noch_ein* noch_eine gleiche_für
only: nur
instead: statt* anstatt anstelle sondern vielmehr
already: schon gibt_es_schon bestehende*
before: vorher davor war waren
not: nie niema* nirgends keine* nicht* kein* ohne weder nix ned net
all: alle alles überall ganze* jede*
no: nein nee nö ne nope
why: warum wieso wozu was_macht wieso_ist warum_hast
what: was wie welche* wo wer
can: könnte würde darf könnten
is: ist sind gibt hat haben wird werden
should: soll sollte sollten muss müssen sollen müsste gehört dürfen gedacht
but: aber allerdings doch außer trotzdem
please: bitte
thanks: danke* dank vielen_dank
good: gut super prima toll perfekt klasse schön sieht_gut top wunderbar genial besser gefällt stimmt ok okay ja klar
  alles_klar in_ordnung
wrong: falsch fehlerhaft unsinn quatsch blödsinn mist schlecht verkehrt irrtum missverst* stimmt_nicht verwechselt
  durcheinander verdreht unbrauchbar schlimm daneben inkorrekt käse müll murks ungültig nicht_richtig hässlich katastroph*
missing: fehlt fehlen* weg_ist verschwunden unvollständig halb hälfte lücke verloren unfertig futsch
same: gleich* dasselbe
extra: zu_viel zu_viele zu_lang zu_groß zu_klein zu_kompliziert übertrieben aufgebläht overkill unübersichtlich zu_langsam
  zu_weit unnötig* überflüssig* ungefragt eigenmächtig ungebeten unaufgefordert wer_hat_gesagt wer_hat_dir niemand_hat
  keiner_hat auf_eigene_faust ohne_zu_fragen nicht_gewünscht scope hat_nichts_zu_suchen nebenbei ungewollt
old: alte* gestern seit legacy jahre* monaten wochen vor_deiner schon_immer montag historisch heute_morgen ewig
later: morgen erstmal nächste_woche mittag* meeting wochenende telefon
file: datei* ordner modul pfad
new: neu neue*
wish: ab_jetzt könntest_du_noch
use: nutze nutz verwende verwendest nimm nehmen benutz benutze benutzen nutzen verwenden benutzt
here: hier bei_uns im_projekt
`;
