/** See `../meanings.ts` for how it is read. */
export const IT = `
you: tu ti te tuo tua tuoi tue hai sei puoi potresti dovresti avevi avresti vuoi fai lei voi
i: io mi me mio mia miei ho
we: noi ci nostro nostra abbiamo
they: lui loro qualcuno gente altri
party: provider gestore chi_ha_scritto
  cliente clienti collega colleghi capo team utente utenti stagista marketing legale supporto designer
  fornitore fornitori qa commercialista vendite grafico grafici
it: questo questa quello quella ciò lo così questi
asked: chiesto detto volevo chiedevo scritto specificato richiesto richiesta richieste menzionato requisito
  requisiti intendevo concordato aspettavo parlato indicato istruzioni dissi doveva_essere ti_avevo
  avevo_chiesto pattuito
want: voglio vorrei serve bisogno preferisco preferirei servirebbe vogliamo
did: fatto messo usato toccato sostituito sovrascritto riscritto installato pushato committato eseguito
  lanciato creato inventato copiato generato aggiornato introdotto modificato infilato duplicato spostato
  passato riformattato cambiato
add: aggiungi aggiungere inserisci includi metti aggiungiamo
added: aggiunto aggiunta aggiunti
remove: rimuovi rimuovere togli togliere cancella elimina leva pulisci
removed: rimosso tolto cancellato eliminato rimossi levato buttato
change: cambia cambiare modifica aggiorna sostituisci usa usare adatta imposta regola
changed: modifiche cambiamenti modificati alterato
make: crea creare scrivi scrivere implementa genera costruisci prepara traduci rifattorizza estrai documenta
  sviluppa
move: sposta rinomina
moved: rinominato
omit: dimenticato dimentichi dimenticata ignorato ignori saltato omesso tralasciato trascurato mancato
  scordato lasciato_fuori perso_per_strada
fail: errore errori fallisce falliscono fallito crash crasha rotto rotta eccezione rosso bug bugs blocca
  bloccato non_funziona non_va si_rompe esplode timeout vuoto undefined null 500 404 instabile salta
broke: hai_rotto rovinato distrutto incasinato sfasciato spaccato corrotto regressione combinato
work: funziona funzionano passa passano verde verdi va gira
undo: annulla annullare ripristina ripristinare torna rimetti rimettere revert reverta rollback com_era
  come_prima indietro riporta ripristinato annullato
stop: stop fermati ferma basta fermo interrompi smettila interrotto annullo
wait: aspetta aspetti momento attimo un_secondo pausa calma frena
keep: lascia lasciare tieni mantieni conserva non_toccare intatto lasciamo
fix: correggi sistema ripara risolvi sistemare aggiusta
fixed: corretto sistemato riparato risolto aggiustato
look: guarda controlla verifica leggi vedi rileggi confronta cerca trova esamina controllare guardare
tell: spiega spiegami mostra mostrami dimmi descrivi riassumi elenca fammi_vedere
redo: rifai riprova ricomincia da_capo riprovaci ritenta
ship: commit committa push pusha merge mergia deploy pubblica pr branch rilascia release
run: lancia esegui avvia fai_girare
go: continua procedi vai avanti prosegui comincia inizia
mind: è_stato_cancellato è_stato_annullato hanno_annullato adesso_vuole ora_vuole ora_vogliono prima_guardarlo prima_vedere prima_darci
  cambiato_idea ripensandoci ci_ho_ripensato pensandoci deciso lascia_perdere lascia_stare non_serve_più
  cambio_di_programma alla_fine ho_deciso meglio_di_no
mine: ho_dimenticato_di avrei_dovuto_dire io_stesso per_sbaglio per_errore ho_cancellato_io non_è_colpa_tua tasto_sbagliato mi_ero_dimenticato dimenticavo
  errore_mio mio_errore colpa_mia mia_colpa mi_sono_sbagliato ho_sbagliato mi_sono_confuso ho_dimenticato
  finestra_sbagliata avrei_dovuto mi_sono_espresso sono_stato_io
still: ancora tuttora continua_a sempre_lo ancora_non
again: di_nuovo un_altra_volta nuovamente terza_volta seconda_volta quante_volte ogni_volta ennesima
  per_la_terza per_la_seconda
now: ora adesso attualmente oggi ormai improvvisamente
next: poi dopo prossimo prossima successivo quindi
also: anche inoltre stessa_cosa un_altro un_altra pure altrettanto in_più
only: solo soltanto solamente unicamente
instead: invece piuttosto al_posto anziché bensì
actually: in_realtà davvero veramente a_dire_il_vero effettivamente
already: già esiste esistente esistenti abbiamo_già c_era_già
before: prima precedentemente era erano originale funzionava prima_funzionava
never: mai nessuno
always: sempre ogni
all: tutto tutti tutta tutte intero ovunque dappertutto
not: non niente nulla senza nessun nessuna né neanche nemmeno
no: no nope macché
why: perché come_mai perche
what: cosa che che_cosa
how: come
which: quale dove quando chi quali
can: può si_può possiamo potrebbe riesci
is: è sono c_è ci_sono ha hanno
should: deve dovrebbe doveva dovevi devi bisogna dovevano dovrebbero dovuto
but: ma però tranne eccetto tuttavia a_parte salvo
if: se
because: siccome dato_che così_che affinché poiché
please: per_favore per_piacere perfavore cortesemente
thanks: grazie
good: 👍 👌 🎉 ❤ 🙏 bene ottimo ottima perfetto perfetta bello bella bravo eccellente fantastico benissimo buono meglio
  va_bene mi_piace contento figo
ok: ok sì d_accordo certo okay entrambi
sorry: scusa scusami mi_dispiace purtroppo spiacente
wrong: sbagliato sbagliata sbagli errato falso male cavolata* cazzata* sciocchezza assurdo al_contrario
  invertito confuso frainteso brutto orribile inutile schifo pasticcio scorretto equivoco
missing: manca mancano mancava sparito sparita scomparso perso incompleto metà a_metà vuota mancante mancanti
same: stesso stessa uguale identico stessi uguali
other: altro altre diverso diversa altrove
excess: troppo troppi troppa esagerato complicato lungo illeggibile
extra: superfluo nessuno_ti nessuno_ha chi_ti di_testa_tua senza_chiedere fuori_ambito non_c_entra di_troppo
  non_richiesto
hack: pezza trucco imbroglio nascondere nascondi nasconde coperto commentato disattivato disabilitato
  hardcoded cablato mock mockato aggirato barare silenziato inghiotte sleep toppa
rule: regole convenzione convenzioni linee_guida specifica specifiche ticket contributing agents_md claude_md
  documentazione standard generati mockup readme contratto schema
old: vecchio vecchia vecchi ieri da_quando scorsa scorso settimane mesi anni legacy storico lunedì ereditato
  stamattina
prod: produzione prod staging server pipeline rete vpn github gitlab docker jenkins npm browser macchina
  portatile chrome internet aws
later: più_tardi domani per_ora per_il_momento settimana_prossima pranzo riunione caffè batteria treno chiamata
  stasera dopo_pranzo
seem: sembra pare credo penso vedo ho_visto noto notato direi mi_sa
claim: dici hai_detto dicevi secondo_te sostieni promesso in_teoria a_quanto_dici affermi hai_scritto mentito
swear: 🤬 😡 cazzo merda diavolo maledetto porca accidenti wtf cavolo dannazione
wow: 🙄 complimenti che_bello che_meraviglia meraviglioso sul_serio seriamente geniale ovviamente certo_perché
  ahah lol chi_ha_bisogno adoro_come magicamente fenomeno wow
hm: hm hmm eh ah oh mah beh boh uff allora
test: test tests prova suite copertura
file: file cartella directory modulo percorso
code: codice funzione funzioni metodo classe componente endpoint tabella colonna colonne query pulsante
  bottone pagina form campo campi config configurazione migrazione script riga righe variabile import tipo
  schermata
really: molto completamente totalmente affatto per_niente proprio
maybe: forse magari e_se che_ne_dici potremmo curiosità mi_chiedo
new: nuovo nuova nuovi nuove
first: primo anzitutto inizialmente secondo finalmente
until: finché fino appena
done: finito pronto completato
correct: correttamente giusto vero
understand: capisco capito capire so senso chiaro idea
issue: problema problemi
task: compito funzionalità progetto attività
report: segnala segnalato segnalano lamenta* lamentano
diff: diff tua_modifica tue_modifiche tuo_codice tua_correzione tuo_fix tua_versione tuo_commit tua_soluzione
whence: dov_è dove_sono cos_è cosa_è_successo perché_hai perché_c perché_ci che_fine
outputs: restituisce ritorna dà esce appare mi_dà compare
number: due tre quattro cinque sette otto nove dieci dodici venti cento mille zero
wish: sarebbe_bello sarebbe_utile sarebbe_possibile da_ora_in_poi d_ora_in_poi in_futuro è_possibile
  si_potrebbe puoi_anche già_che_ci a_proposito
`;
