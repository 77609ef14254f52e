import type { LanguageWords } from './language-words.ts';

export const IT: LanguageWords = {
  faults: {
    accusing: [
      [
        0.9,
        'chi ti ha (?:detto|chiesto)|(?:non )?sai leggere|hai (?:almeno|davvero|veramente|mai|solo) (?:\\p{L}{2,14})|non (?:dovevi|avresti dovuto|devi)|cosa (?:ti )?(?:ho|avevo) (?:detto|chiesto)|ti (?:ho|avevo) (?:già )?(?:detto|chiesto)',
      ],
      [
        0.65,
        'hai(?: \\p{L}{1,12}){0,3} (?:messo|aggiunto|cancellato|eliminato|rimosso|tolto|cambiato|modificato|rinominato|dimenticato|rotto|ignorato|inventato|toccato|installato|fatto|scritto|saltato|confuso|sovrascritto)',
      ],
      [
        0.95,
        '(?:hai|ti sei|lhai|li hai|le hai|mi hai|ci hai) (?:\\p{L}{1,12} ){0,3}(?:dimenticato|dimenticata|rotto|rotti|ignorato|sovrascritto|frainteso|capito male|letto male|inventato|saltato|omesso|perso|rovinato|sbagliato|tralasciato|distrutto|incasinato|scordato|scordata)',
      ],
      [
        0.9,
        '(?:non|mai|solo) (?:\\p{L}{1,4} )?hai(?! bisogno)|hai (?:\\p{L}{1,10} ){0,2}(?:solo|soltanto|mai|nulla|niente)|dovevi|non dovevi|avresti dovuto',
      ],
      [
        0.8,
        '(?:hai|lhai|li hai|le hai|mi hai|ci hai) (?:\\p{L}{1,12} ){0,3}(?:cancellato|eliminato|rimosso|tolto|hardcodato|cablato|disattivato|disabilitato|commentato|abbassato|mockato|committato|pushato|toccato|duplicato|mischiato|confuso|tirato a indovinare)',
      ],
      [
        0.5,
        '(?:hai|lhai|li hai|le hai) (?:\\p{L}{1,12} ){0,3}(?:cambiato|rinominato|sostituito|spostato|modificato|aggiunto|usato|scritto|fatto|messo|creato|riscritto|lasciato)',
      ],
      [
        0.6,
        '(?:perche|come mai|per quale motivo) (?:\\p{L}{1,4} )?(?:hai|stai|tocchi|cambi|lhai|continui|cavolo|diavolo)',
      ],
      [
        0.5,
        '(?:la tua|il tuo|le tue|i tuoi|tua|tue) (?:modifica|modifiche|correzione|fix|codice|commit|versione|soluzione|patch|refactoring)',
      ],
    ],
    unasked: [
      [
        0.9,
        'non (?:è|era) (?:proprio |esattamente )?(?:quello|ciò|come|così|questo)(?: che)?|(?:io )?volevo (?:solo|soltanto|che)|(?:dovevano|doveva|dovrebbe|dovevi) (?:essere|esserci|restare|solo|rimanere)|la richiesta era|che (?:avevo|ti avevo|ho) (?:indicato|chiesto|detto|menzionato)|nessuno (?:ti )?(?:ha|lo ha) (?:chiesto|detto)|come (?:ti )?(?:avevo|ho) (?:chiesto|detto)|non (?:ti )?(?:ho|avevo) chiesto|non andava(?:no)?|(?:il ticket|la spec|la specifica) (?:dice|chiede|diceva)|avrei (?:preferito|voluto)|mi aspettavo',
      ],
      [0.5, 'basta|solo \\p{L}{2,14}$|non \\p{L}{2,14}$'],
      [
        0.97,
        '(?:non e|non era|questo non e|non sono|niente a che|non) (?:affatto |proprio |esattamente |certo )?(?:quello|quella|cio|cosi|come|dove|questo)(?: che)? (?:\\p{L}{1,8} )?(?:volevo|chiesto|detto|intendevo|chiedevo|voglio|serve|serviva|dicevo)|(?:non|mai|nessuno) (?:\\p{L}{1,4} )?(?:ho|ha|avevo|aveva|abbiamo) (?:mai |\\p{L}{1,4} )?(?:chiesto|detto|parlato|richiesto)|non (?:te )?(?:lho|lo ho|ho) (?:mai )?chiesto',
      ],
      [
        0.8,
        '(?:ti )?(?:avevo|ho|abbiamo|avevamo|tavevo|tho) (?:\\p{L}{1,12} ){0,3}(?:chiesto|detto|scritto|specificato|spiegato|precisato)|intendevo|volevo|quello che (?:volevo|ho chiesto)|dicevo',
      ],
      [
        0.7,
        '(?:il|la|le) (?:compito|ticket|specifica|spec|issue|istruzioni|richiesta|task|requisito) (?:era|dice|diceva|erano|chiede|chiedeva|dicono)',
      ],
      [
        0.75,
        '(?:non cosi|cosi no|non quello|non quella|non qui|non li|non in quel|non in questo|quello no|questo no|non questo|non questa)',
      ],
    ],
    wrong: [
      [
        0.8,
        'si blocca|si pianta|aspetta (?:allinfinito|per sempre)|manca(?:no)?|metà|non mi sono spiegato|non tutto il|segnalato|non sia voluto',
      ],
      [
        0.8,
        'non (?:funziona|compila|passa|risolve|serve|va|corrisponde|è vero|è giusto|è corretto|appare|trova|fa niente|carica|basta|è una (?:soluzione|correzione)|è la)|(?:è|sono) (?:sbagliato|sbagliata|rotto|rotta|vuoto|al contrario|sparito|sparita|spariti|peggio|tutte)|questa non è|esporta tutto|ci sono tutte|invece ci|sparit[oaie]|si è (?:perso|rotto)|nasconde (?:il|solo)|manca(?:no)?|dà (?:errore|404|500)|peggio',
      ],
      [0.5, 'purtroppo|invece di|al posto|non .{0,20}più|errore|inutile|troppo|sbagliat[oaie]|mah'],
      [
        0.95,
        '(?:e|sono|era|tutto|completamente|totalmente|ancora|proprio) (?:\\p{L}{1,12} ){0,2}(?:sbagliato|sbagliata|sbagliati|errato|errata|rotto|rotta|rotti|al contrario|un disastro|scorretto)|non va (?:bene|affatto)?|non (?:e|era) (?:corretto|giusto|quello|cosi|vero|giusta)|cosi non va|non ci siamo',
      ],
      [
        0.9,
        '(?:file|posto|punto|branch|ramo|funzione|ordine|tabella|cartella|colonna|metodo|classe|test|direzione|percorso|versione|nome|componente|campo|ambiente) sbagliat[oaei]|hai sbagliato',
      ],
      [0.55, 'sbagliato|sbagliata|errato|scorretto'],
      [
        0.75,
        '(?:non|neanche|nemmeno) (?:\\p{L}{1,4} )?(?:funziona|funzionano|compila|passa|passano|parte|gira|va|serve|risolve|esiste|carica|basta|aiuta|corregge)',
      ],
      [
        0.7,
        '(?:adesso|ora|da allora|cosi) (?:\\p{L}{1,14} ){0,5}(?:fallisce|falliscono|rompe|rotto|rotta|errore|errori|rosso|sparito|sparita|manca|peggio|non funziona|non compila|crasha)',
      ],
      [0.65, '(?:quasi|non proprio|a meta|incompleto|incompleta|solo meta)(?: ma)?'],
      [0.35, 'manca|mancano|doppio|duplicato'],
    ],
    again: [
      [
        0.9,
        '(?:fallisce|rosso|rotto|sbagliato|non va|manca) ancora|ancora (?:rosso|rotto|sbagliato|non|lo stesso|la stessa|una volta)|continua a|guarda (?:meglio|bene|di nuovo)|(?:seconda|terza|ennesima|ultima) volta|quante volte|come (?:ti )?ho già detto|rileggi|di nuovo|stesso (?:errore|problema)',
      ],
      [
        0.95,
        '(?:ancora|sempre|continua|continuano) (?:\\p{L}{1,8} ){0,3}(?:non|rosso|rotto|rotta|sbagliato|lo stesso|la stessa|errore|a fallire|a dare|fallisce|niente|uguale|li|vuoto)|(?:fallisce|fallisce|non va|rosso|uguale) ancora|ancora (?:rosso|rotto|niente)',
      ],
      [
        0.95,
        '(?:seconda|terza|quarta|quinta|ultima|ennesima) volta|quante volte|come (?:ti )?(?:ho|avevo) (?:gia )?detto|come (?:gia )?detto|te (?:lho|lo) (?:ho )?gia|ti ho gia|ripeto|lo ripeto|di nuovo (?:lo stesso|la stessa)|rileggi|leggi (?:\\p{L}{1,10} ){0,3}(?:bene|di nuovo|ancora|meglio)',
      ],
      [0.6, '(?:stesso|stessa|stessi) (?:errore|problema|bug|risultato|cosa|errori)'],
      [0.4, 'di nuovo|ancora|un altra volta|unaltra volta'],
    ],
    undo: [
      [
        0.8,
        'rimett(?:i|ili|ilo|ila|ile|ere)|da rimettere|annulla(?:lo)?|togli(?:lo|la|li|le|ere)?|ripristina(?:lo)?|torna (?:indietro|a come)|riporta|tieni (?:i|gli|le|il|la)|lascia (?:i|gli|le|il|la|stare) ?(?:\\p{L}{2,14})?|com(?:e)? ?era(?:no)?(?: prima)?|come prima|non toccare|così no|mantieni',
      ],
      [
        0.75,
        '(?:annulla|annullalo|annullare|ripristina|ripristinalo|ripristinare|torna indietro|riporta|riportalo|rimetti|rimettilo|rimettila|rimettere|revert|reverti|revertta|rollback|disfa|ridammi|fai (?:il )?revert|fai rollback)(?: \\p{L}{1,14}){0,3}|come (?:era|prima|stava)',
      ],
      [
        0.5,
        '(?:togli|toglilo|togliere|rimuovi|rimuovilo|elimina|leva|levalo) (?:quello|questo|quella|tutto|il|la)?',
      ],
    ],
    should: [
      [
        0.6,
        '(?:doveva|dovevano|dovrebbe|dovrebbero|avrebbe dovuto|non deve|non devono|non doveva|non dovrebbe|andava|andavano|bisognava|non andava) (?:\\p{L}{1,12} ){0,3}',
      ],
      [0.45, '(?:deve|devono) (?:essere|restare|stare|andare|rimanere|restituire)'],
      [0.35, 'invece di|invece che|al posto d\\p{L}{1,4}|anziche|bensi'],
    ],
    stop: [
      [0.75, 'smettila|smetti|basta|no no|fermati|fermo|non toccare|giu le mani|lascia stare'],
      [
        0.5,
        '^(?:stop|fermo|ferma|alt|aspetta|no(?! (?:problem|fretta|grazie|worries))|nope|ehi|oddio|ma no|ma che|uffa|mamma mia|dai|scherzi|seriamente|cavolo|accidenti)(?![\\p{L}])',
      ],
      [
        0.6,
        '(?:lascia|lasciare) (?:\\p{L}{1,14} ){1,4}(?:stare|in pace|com|cosi|intatto)|non (?:toccare|modificare|cambiare|cancellare|committare|mockare|usare|eliminare|fare|editare)',
      ],
    ],
    rule: [
      [
        0.75,
        '(?:era|erano|è|sono) (?:lì |così )?(?:per un motivo|per una ragione|apposta|di proposito)|apposta|serve (?:a|allo|alla|per|ai)|(?:è|viene|vengono|sono) (?:usat[oaie]|generat[oaie]|utilizzat[oaie])|abbiamo già|(?:c|ce|esiste) già|(?:mai|non|sempre) (?:usiamo|facciamo|tocchiamo|mettiamo)|non (?:le |li |lo )?possiamo|da noi|le nostre (?:regole|convenzioni)|a mano',
      ],
      [
        0.7,
        '(?:e|sono|file|codice|viene) (?:\\p{L}{1,12} ){0,3}(?:generato|generata|generati|autogenerato|in sola lettura|congelato|intoccabile|pubblica)|a mano',
      ],
      [
        0.65,
        '(?:noi|qui|in questo progetto|in questo repo) (?:\\p{L}{1,10} ){0,2}(?:non|mai|sempre|solo|usiamo)|(?:non|sempre|mai) (?:usiamo|facciamo|modifichiamo|mockiamo|committiamo)|(?:nostra|nostre|nostro|nostri) (?:convenzione|convenzioni|regola|regole|stile|standard)',
      ],
      [
        0.5,
        '(?:ce|e|era|sta) (?:\\p{L}{1,10} )?(?:scritto|indicato|nel readme|in agents|in claude|nella doc|nel ticket)|(?:leggi|guarda|segui|vedi) (?:il |la |le )?(?:readme|agents|claude|doc|guida|ticket|specifica|regole)',
      ],
    ],
    claim: [
      [
        0.66,
        '(?:dicevi|dici|hai detto|avevi detto|sostieni|hai scritto che|secondo te|a quanto dici|presunto|bugia|menti|mentito|non e vero|non esiste)',
      ],
      [
        0.6,
        'sicuro \\?|sei sicuro|sul serio|davvero \\?|dov ?e|dove (?:sono|e|finito|finita|finiti)|non (?:vedo|trovo) (?:niente|nulla|nessun|nessuna|il|la)|non e cambiato (?:niente|nulla)|niente e cambiato',
      ],
    ],
    polite: [
      [
        0.7,
        'potresti (?:\\p{L}{1,10} )?(?:limitarlo|limitare|rimettere|lasciare|annullare|togliere|ripristinare|rivedere|tenere|mantenere|ricontrollare)|mi piacerebbe (?:tenere|mantenere|che)|preferirei|avrei preferito|purtroppo|temo|al momento (?:ci|c)|un (?:piccolo )?(?:dettaglio|problema|errore)|credo che (?:tu|ci|non|manchi)|mi sembra|non (?:proprio|del tutto)|scusa',
      ],
    ],
    sarcasm: [
      [
        0.8,
        'fantastico|complimenti|proprio quello che (?:intendo|volevo|ho)|chi ha bisogno|che (?:meraviglia|bello|bravo|generoso|sorpresa|idea)|bravo|lo possiamo chiamare|ah (?:certo|sì|bene|ecco)|molto divertente|grazie (?:per|di) (?:niente|aver)|geniale|adoro|meno male|congratulazioni',
      ],
      [
        0.8,
        '(?:ottimo|perfetto|grazie|bravo|complimenti|fantastico|bel lavoro|meraviglioso|splendido|geniale|benissimo|grande)(?: \\p{L}{1,14}){0,6} (?:cancellato|cancellare|rotto|rompere|niente|nulla|fallisce|falliscono|rosso|sbagliato|sparito|perso|ignorato|ignorare|vuoto|peccato|tranne|per nulla)',
      ],
      [
        0.7,
        'ah (?:ottimo|perfetto|bene|certo|bello|fantastico)|molto divertente|che bello|proprio quello che (?:mi serviva|ci voleva)|adoro (?:come|quando|che)|chi ha bisogno|che genio|bella roba',
      ],
    ],
  },
  bare: '(?:no|sbagliato|no no|stop|fermo|fermati|cosi no|non cosi|annulla|annulla tutto|torna indietro|ripristina|ancora rotto|ancora rosso|non funziona|non va|di nuovo|sul serio|perche|e sbagliato|non e quello|errato|basta|rimetti come prima|ma no|revert|no sbagliato|ancora)',
  own: 'molto meglio|ancora meglio|dimenticato di dire|(?:ho )?(?:cancellato|rotto) io|voglio prima|non fare ancora|colpa mia|mio errore|errore mio|ero sul \\p{L}{2,8} sbagliat[oa]|avrei dovuto|cambiato idea|mi serve (?:la|il|lo)|oggi no|scusa avrei|finestra sbagliata|alla fine|la contabilità vuole|il cliente (?:vuole|ha cambiato)|abbiamo deciso|dimentica (?:quello|cio)|cambio di (?:programma|piani)|nuovo piano|e cambiato|sono cambiati|ho fatto un errore|era (?:solo )?(?:una prova|un test)|(?:adesso|ora) (?:voglio|vorrei|preferisco|vogliamo|mi serve)|so che (?:avevo|ho)|avevo (?:detto|chiesto) (?:\\p{L}{1,14} ){1,8}ma|(?:cambiato|cambio) idea|ripensandoci|a pensarci (?:bene|meglio)|ci ho ripensato|(?:errore|colpa|svista|sbaglio) mi[oa]|(?:mio|mia) (?:errore|colpa|svista|sbaglio)|(?:mi sono|ho) (?:\\p{L}{1,8} ){0,2}(?:sbagliato|sbagliata|confuso|confusa|espresso male|espressa male|spiegato male|dimenticato di|scordato di)|avrei dovuto (?:dirti|dire|dirlo|specificare)|scusa (?:ho|mi|avevo|intendevo)|(?:cliente|capo|prodotto|design|marketing|legale|po|team|direzione|commerciale) (?:\\p{L}{1,10} )?(?:vuole|vogliono|ha|hanno|preferisce|chiede|vorrebbe)|abbiamo deciso|deciso di|(?:preferisco|preferiamo|preferirei)|alla fine|tutto sommato|i requisiti|non (?:serve|servono|ci serve|e) (?:piu|necessario)|(?:settimana|sprint|mese) prossim[oa]|prossim[oa] (?:settimana|sprint|mese)|domani|piu tardi|dopo (?:continuiamo|riprendiamo)|riunione|pranzo|cena|devo (?:andare|scappare|riavviare|uscire)|batteria|portatile|treno|pausa|lascia perdere|non importa|per oggi|avevi ragione|hai ragione|budget',
  others:
    '(?:questo|il|al|del|dal|i) (?:cliente|capo|fornitore|clienti)|vuole di nuovo|lanno scorso|vpn|(?:il )?team (?:backend|frontend|infra|di)|chi ha (?:scritto|fatto)|vecchi[oa]|riunione|contesto|è del 20\\p{N}{2}|da (?:settimane|mesi|anni|sempre|ieri|lunedì)|sempre stato|nessuno (?:lo|la) capisce|(?:questa|questo) (?:maledett[oa]|dannat[oa]|stupid[oa])|jenkins|(?:i )?(?:clienti|utenti) (?:si lamentano|dicono|segnalano)|non c entra|fornitore|stagista|collega|collegh?[aieo]|qualcun altro|qualcunaltro|(?:codice|modulo|versione|implementazione|sistema|script|test|soluzione) (?:vecchi[oa]?|legacy|esistent[ei]|precedent[ei]|original[ei]|ereditat[oa])|vecchi[oa] (?:codice|modulo|versione|implementazione|sistema|script|test|soluzione)|legacy|prima (?:di te|che tu|delle tue|di iniziare)|(?:era|erano) gia|gia (?:prima|rotto|rosso)|non e (?:colpa tua|tua colpa)|utenti? (?:\\p{L}{1,10} )?(?:segnalano|segnala|si lamentano|dicono|vedono|riportano)|clienti? (?:\\p{L}{1,10} )?(?:segnalano|segnala|si lamentano|si lamenta)|in prod|in produzione|su (?:main|master)|(?:settimana|mese|anno|versione|release) (?:scors[oa]|precedente)|ieri|stagista|fornitore|upstream|(?:aws|github|npm|stripe|lapi|il server|la ci) (?:e|era|ha|restituisce|risponde)|da (?:settimane|mesi|giorni|tempo)|(?:lui|lei|loro) (?:ha|hanno)',
  praise:
    '(?:grazie|ottimo|perfetto|bene|molto bene|benissimo|bravo|bel lavoro|ok|okay|va bene|si|certo|esatto|giusto|corretto|funziona|fantastico|tutto ok|mi piace|fatto|grande|top)(?![\\p{L}])',
  further:
    '(?:ora|adesso|poi|anche|aggiungi|crea|scrivi|implementa|puoi (?:anche|aggiungere|spiegarmi|mostrarmi)|potresti|come|cosa|quale|dove|chi|quando|spiega|spiegami|mostra|mostrami|e (?:anche|poi)|inoltre|continua|procedi|vai)(?![\\p{L}])',
  content:
    'perfetto|molto bene|bene|grazie|ok|ottimo|funziona|contenta?|va (?:bene|benissimo)|eccellente|daccordo|commit|giusto|bello',
  wish: '(?:^|anche |ora |adesso |e |poi |inoltre |quello )(?:aggiungi|aggiungila|crea|scrivi|implementa|fai|traduci|documenta|metti|genera|documentare)(?= |$)|lo stesso (?:per|con)|anche|inoltre|ora (?:la|il)|prossim[oaie]|dopo|alla fine|un altro|guarda quello',
  asks: '^(?:e |ok |bene |grazie )?(?:a cosa|cosa|come|quali|quale|quando|dove|perché(?! hai)|ce ne sono|quanti|le \\p{L}{2,14})(?= )|spiegare|spieghi|spiega|puoi guardar\\p{L}{1,4}|sempre stato|non c entra|ce ne sono',
};
