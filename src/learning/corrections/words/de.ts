import type { LanguageWords } from './language-words.ts';

export const DE: LanguageWords = {
  faults: {
    accusing: [
      [
        0.9,
        'wer hat (?:dir )?(?:gesagt|gebeten|verlangt)|kannst du (?:nicht|eigentlich|überhaupt) (?:lesen|zuhören)|hast du (?:das )?(?:überhaupt|eigentlich|wirklich|nicht|mal)|habe? ich (?:nicht |das )?(?:gesagt|verlangt|gewollt|erwähnt)|was habe? ich|du (?:hättest|solltest|darfst|sollst|kannst) (?:\\p{L}{1,12} ){0,4}(?:nicht|nur|nie|doch)|hättest du',
      ],
      [
        0.65,
        '(?:du hast|hast du|du bist)(?: \\p{L}{1,14}){0,6} (?:eingebaut|entfernt|gelöscht|geändert|verändert|umbenannt|hinzugefügt|vergessen|übersehen|ignoriert|kaputt|überschrieben|ausgelassen|rausgeworfen|installiert|gepusht|committet|verwechselt|erfunden|angefasst|gemacht|geschrieben)',
      ],
      [
        0.95,
        '(?:hast|haste|du hast|hattest) (?:\\p{L}{1,16} ){0,6}(?:vergessen|ubersehen|kaputt ?gemacht|ignoriert|uberschrieben|missverstanden|falsch verstanden|zerschossen|verhauen|erfunden|weggelassen|ausgelassen|verschlimmbessert|zerstort|unterschlagen)',
      ],
      [
        0.9,
        '(?:hast|haste|du hast) (?:\\p{L}{1,16} ){0,5}(?:nicht|nur|nie|kein|keine|keinen|gar nicht|nichts)|du hattest (?:\\p{L}{1,12} ){0,5}sollen',
      ],
      [
        0.8,
        '(?:hast|haste|du hast|hattest) (?:\\p{L}{1,16} ){0,6}(?:geloscht|entfernt|gelost|hart ?codiert|hardgecodet|hardcoded|hardcodiert|deaktiviert|auskommentiert|abgeschaltet|gesenkt|gemockt|committet|commitet|gepusht|angefasst|rausgeworfen|rausgenommen|verwechselt|geraten|verdoppelt|dupliziert)',
      ],
      [
        0.5,
        '(?:hast|haste|du hast|hattest) (?:\\p{L}{1,16} ){0,6}(?:geandert|umbenannt|ersetzt|verschoben|bearbeitet|hinzugefugt|benutzt|verwendet|geschrieben|gemacht|eingebaut|umgebaut|getauscht)',
      ],
      [
        0.6,
        '(?:warum|wieso|weshalb|wozu) (?:hast|machst|anderst|fasst|loschst|tust|nimmst|wird|ist|sind|steht) (?:du|jetzt|da|hier|denn|das)',
      ],
      [0.5, 'deine? (?:anderung|anderungen|fix|code|commit|version|umbau|losung|patch|letzte)'],
      [0.8, 'hast du (?:das |es |die |den )?(?:uberhaupt|wirklich|eigentlich|mal|auch)'],
    ],
    unasked: [
      [
        0.9,
        '(?:nicht|nie) (?:das |so |wirklich )?(?:was|wie) ich|eigentlich nicht (?:das|so|was)|(?:es |das )?(?:sollte|sollten|hätte|hätten) (?:\\p{L}{1,12} ){0,4}(?:nur|sein|werden|bleiben|sollen|müssen)|ich wollte (?:doch )?(?:nur|bloß|lediglich|eigentlich)|(?:gewünscht|gefragt|verlangt|gefordert|vereinbart|ausgemacht|abgesprochen) (?:war|waren|hatte)|die aufgabe war|steht (?:so |doch |auch |klar )?im ticket|ich (?:hatte|habe|hab) (?:\\p{L}{1,12} ){0,4}(?:gesagt|gebeten|geschrieben|gemeint|gewünscht|erwähnt|gehofft)|hätte (?:\\p{L}{1,12} ){0,2}(?:gehofft|erwartet|gedacht|gewünscht)|genannten|mehr nicht',
      ],
      [0.5, 'nur \\p{L}{2,14}$|im (?:ticket|issue|auftrag)|laut (?:spec|ticket|spezifikation|vorgabe)'],
      [
        0.97,
        '(?:nicht|garnicht|gar nicht|nie) (?:das|dass|was|so|worum|wie) (?:\\p{L}{1,14} ){0,4}(?:wollte|gesagt|gemeint|gebeten|verlangt|ging|habe|hatte|wollten|meinte)|das wollte ich (?:so )?nicht|so war das nicht|war nicht (?:gefragt|gemeint|die aufgabe|das|der auftrag|bestellt)|das habe? ich (?:so )?nicht|hat (?:niemand|keiner|dich keiner|dich niemand)|habe? ich (?:dich )?nie|davon war (?:nie|nicht|keine)',
      ],
      [
        0.8,
        '(?:ich|wir) (?:hatte|habe|hab|haben|wollte|wollten|sagte|meinte|meine|schrieb) (?:\\p{L}{1,14} ){0,5}(?:gesagt|gebeten|gemeint|geschrieben|gewollt|ausdrucklich|extra|doch|explizit|schon)|ich meinte|hatte ich (?:\\p{L}{1,14} ){0,4}(?:gesagt|gebeten|geschrieben)|ich wollte|gesagt hatte ich|ich sagte',
      ],
      [
        0.7,
        '(?:die|der|das) (?:aufgabe|auftrag|ticket|spec|vorgabe|anforderung) (?:war|lautete|sagt|hiess|verlangt)',
      ],
      [
        0.75,
        'nicht (?:diese|dieser|dieses|die|so|da|dort|hier|hierhin)(?: datei| funktion| klasse| stelle| methode)?$|doch nicht so|so nicht|nicht so',
      ],
    ],
    wrong: [
      [
        0.8,
        'hängt|bleibt (?:\\p{L}{1,8} )?(?:hängen|stehen)|wartet (?:\\p{L}{1,6} )?ewig|stürzt|die hälfte|fehlen|nur die \\p{L}{3,14} (?:\\p{L}{1,12} ){0,3}nicht|unklar ausgedrückt|hingewiesen|wohl nicht so gedacht',
      ],
      [
        0.8,
        '(?:ist|sind|war) (?:\\p{L}{1,10} ){0,3}(?:kein|keine|keinen|falsch|weg|kaputt|leer|verschwunden|verloren|rot|quatsch|unsinn|verkehrt|doppelt|unbrauchbar|langsamer|schlechter)|kein (?:fix|echter fix)|keine lösung|(?:stimmt|passt|klappt|geht|funktioniert|läuft|kompiliert|baut|reicht|hilft|gehört) (?:\\p{L}{1,10} ){0,3}(?:nicht|nichts|nirgends)|nicht (?:passt|stimmt|geht|funktioniert|klappt)|fehlt (?:jetzt|noch|wieder)?|versteckt (?:den|das|nur)|nichts verloren|immer noch|kommt (?:ein|eine) (?:404|500|fehler)|da (?:ist|sind|steht|kommt) (?:\\p{L}{1,10} ){0,2}(?:alles|alle|nichts|noch)',
      ],
      [
        0.5,
        'leider|statt|nicht mehr|fehler|schlimmer|verschwunden|verschlimmbessert|unnötig|überflüssig|zu (?:viel|lang|kompliziert|groß)|umständlich',
      ],
      [
        0.95,
        '(?:ist|sind|war|stimmt|alles|vollig|komplett|total|einfach|immer noch|noch immer|schlicht) (?:\\p{L}{1,12} ){0,2}(?:falsch|verkehrt|unsinn|quatsch|kaputt|murks|nicht richtig|nicht korrekt|blodsinn)|stimmt (?:so |doch |aber |einfach |leider |hinten und vorne )?nicht|geht (?:so |doch |aber |leider )?nicht|passt (?:so |doch |nicht |leider )?nicht|so geht das nicht',
      ],
      [
        0.9,
        '(?:falsche|falscher|falsches|falschen|verkehrte|verkehrten) (?:datei|stelle|branch|funktion|reihenfolge|tabelle|ordner|spalte|methode|klasse|test|richtung|pfad|version|name|ort|verzeichnis|zweig|komponente|feld|umgebung)',
      ],
      [0.55, 'falsch|verkehrt|unsinn|quatsch|murks'],
      [
        0.75,
        '(?:funktioniert|klappt|lauft|kompiliert|baut|startet|tut|hilft|greift|besteht|reicht|existiert|gibt es) (?:\\p{L}{1,12} ){0,3}(?:nicht|nichts|nie|gar nicht|auch nicht)',
      ],
      [
        0.7,
        '(?:jetzt|nun|seitdem|dadurch|damit) (?:\\p{L}{1,16} ){0,5}(?:kaputt|rot|weg|fehlschlag|schlagen|schlagt|sturzt|crasht|fehler|schlimmer|langsamer|fehlt|fehlen|nicht mehr)',
      ],
      [
        0.65,
        '(?:fast|beinahe|knapp) (?:\\p{L}{1,10} ){0,2}aber|nicht ganz|nur (?:die )?halfte|halb fertig|unvollstandig|nur halb',
      ],
      [0.35, 'fehlt|fehlen|doppelt'],
    ],
    again: [
      [
        0.9,
        'noch ?mal (?:genau|hin|an|lesen|nach|prüfen)|schau (?:\\p{L}{1,8} ){0,2}(?:genau|richtig)|immer noch|schon wieder|zum (?:zweiten|dritten|x ten|letzten|wiederholten)|wie oft|wie gesagt|nach wie vor|weiterhin',
      ],
      [
        0.8,
        '(?:immer noch|noch immer|weiterhin|nach wie vor) (?:\\p{L}{1,14} ){0,4}(?:nicht|rot|kaputt|falsch|derselbe|dieselbe|gleiche|fehler|fehlt|da|kein|keine|fehl\\p{L}{1,12}|schlagt|leer|drin)|immer noch|noch immer',
      ],
      [
        0.95,
        '(?:zum|das) (?:zweiten|dritten|vierten|funften|letzten|x ten|hundertsten|zigsten|xten) mal|wie oft|schon wieder|wie gesagt|ich wiederhole|wie (?:ich )?(?:schon|bereits) (?:gesagt|geschrieben)|hatte ich (?:doch )?(?:schon|bereits)|nochmal lesen|lies (?:\\p{L}{1,12} ){0,4}(?:nochmal|genau|noch einmal|richtig)',
      ],
      [0.6, '(?:gleicher|gleiche|derselbe|dieselbe|dasselbe) (?:fehler|problem|ergebnis|bug)'],
      [0.45, 'wieder|nochmal|erneut'],
    ],
    undo: [
      [
        0.8,
        'wieder (?:rein|raus|zurück|her|hin|weg|an|ein|so)|rückgängig|zurück(?:nehmen|setzen|drehen|bauen|rollen)?|mach das (?:\\p{L}{1,8} )?(?:weg|raus|wieder)|nimm das (?:wieder )?raus|wie (?:es|sie|das) (?:vorher )?war(?:en)?|behalten|wiederherstellen|stell (?:\\p{L}{1,12} ){1,3}wieder her|lass (?:\\p{L}{1,12} ){1,3}(?:in ruhe|drin|so|stehen)|in ruhe|^so nicht|finger weg',
      ],
      [
        0.75,
        '(?:mach|mache|nimm|nehm|setz|setze|stell|stelle|dreh|roll|rolle|bau) (?:\\p{L}{1,16} ){0,6}(?:ruckgangig|zuruck|wieder her|wieder raus|wieder weg|wieder rein|wieder ein|rauf)|ruckgangig|revert|revertier|revertiere|zurucksetzen|zurucknehmen|zuruckrollen|rollback|undo|zuruck (?:damit|auf|zu)',
      ],
      [
        0.55,
        '(?:raus|weg) (?:damit|mit)|wieder (?:raus|weg|her)|entfern(?:e)? (?:das|es|die|den)|stell (?:\\p{L}{1,14} ){0,4}her|losch das',
      ],
    ],
    should: [
      [
        0.6,
        '(?:sollte|sollten|solltest|hatte|hatten) (?:\\p{L}{1,14} ){0,6}(?:bleiben|nicht|sollen|mussen|eigentlich|werden)|hatte (?:\\p{L}{1,14} ){0,6}(?:sollen|mussen|bleiben)|darf (?:\\p{L}{1,14} ){0,4}nicht|gehort (?:\\p{L}{1,14} ){0,4}(?:nicht|nach|in)',
      ],
      [
        0.45,
        'muss (?:\\p{L}{1,14} ){0,4}(?:sein|bleiben|heissen|werden)|soll (?:\\p{L}{1,14} ){0,4}(?:sein|bleiben|heissen|nicht)',
      ],
      [0.35, 'statt|anstatt|stattdessen|sondern'],
    ],
    stop: [
      [
        0.75,
        'hor auf|lass (?:das|es) (?:sein|bleiben)?|finger weg|schluss damit|nein nein|stopp? (?:das|sofort|mal)|aufhoren|reicht jetzt|es reicht|lass den quatsch',
      ],
      [
        0.55,
        '^(?:stopp?|halt|warte|moment|nein|nee|ne|noe|nope|hey|ey|nanu|och|mann|ach|uff|was soll|was zum)',
      ],
      [
        0.6,
        '(?:lass|lasse|last) (?:\\p{L}{1,16} ){1,5}(?:in ruhe|so|unverandert|stehen|wie)|(?:fass|ander|andere|losch|committe|mock|push|bearbeite) (?:\\p{L}{1,16} ){0,5}(?:nicht|nie|niemals)(?: an)?',
      ],
    ],
    rule: [
      [
        0.75,
        '(?:hat|hatte|hatten) (?:\\p{L}{1,8} )?(?:einen|seinen|ihren|schon seinen) grund|absicht|mit absicht|(?:wird|werden) (?:\\p{L}{1,14} ){0,4}(?:gebraucht|benötigt|verwendet|benutzt|generiert|überschrieben)|braucht (?:das|die|den|es)|bei uns|wir (?:haben|nutzen|benutzen|verwenden|machen|committen|mocken|schreiben) (?:\\p{L}{1,12} ){0,4}(?:schon|bereits|nie|immer|keine|kein|nicht|nur)|gibt es (?:doch )?(?:schon|bereits)|dürfen wir|darf (?:\\p{L}{1,10} ){0,3}nicht|dürfen (?:\\p{L}{1,10} ){0,3}nicht|unsere (?:regel|regeln|konvention)',
      ],
      [
        0.7,
        '(?:ist|sind|wird|werden) (?:\\p{L}{1,12} ){0,3}(?:generiert|generierte|automatisch|tabu|schreibgeschutzt|eingefroren|offentlich)|generierte? (?:datei|code|dateien)|von hand',
      ],
      [
        0.65,
        '(?:wir|bei uns) (?:\\p{L}{1,14} ){0,4}(?:nie|niemals|immer|nicht|kein|keine|keinen|grundsatzlich)|unsere? (?:konvention|konventionen|regel|regeln|stil|standard)|bei uns',
      ],
      [
        0.5,
        '(?:steht|stand) (?:\\p{L}{1,12} ){0,4}(?:agents|readme|claude|doku|ticket|spec|vorgabe|issue|aufgabe|richtlinien|style)',
      ],
    ],
    claim: [
      [
        0.66,
        '(?:du sagst|du sagtest|du behauptest|du hast gesagt|du hast behauptet|du meintest|hast du gesagt|angeblich|von wegen|gelogen|stimmt doch gar nicht|gibt es (?:gar |doch |hier |uberhaupt )?nicht|existiert (?:gar |doch )?nicht)',
      ],
      [
        0.6,
        'sicher \\?|ernsthaft|im ernst|dein ernst|wo (?:ist|sind|bleibt|bleiben)|ich sehe (?:da |hier |aber )?(?:nichts|kein|keine|keinen)|nichts (?:passiert|geandert|davon)',
      ],
    ],
    polite: [
      [
        0.7,
        'könntest du (?:\\p{L}{1,12} ){0,6}(?:beschränken|zurück|wieder|lassen|rückgängig|behalten|prüfen|nur|entfernen)|würde ich (?:gern|gerne|lieber)|ich würde (?:gern|gerne|lieber) (?:\\p{L}{1,12} ){0,3}(?:behalten|lassen)|eigentlich|leider|momentan|derzeit|kleinigkeit|kleine (?:korrektur|anmerkung)|ich glaube (?:da|das|du|hier)|nicht ganz|ein missverständnis|vielleicht (?:habe|war) ich',
      ],
    ],
    sarcasm: [
      [
        0.8,
        '(?:na|ach|oh|ja) (?:super|toll|prima|klasse|wunderbar|herrlich|bravo|großartig|schön|wie)|toll (?:dann|jetzt|gemacht)|genau (?:das )?was ich (?:wollte|mit|gemeint|brauchte)|wer braucht|wozu auch|super (?:jetzt|dann)|glückwunsch|herzlichen|wird schon|irgendwann|wie (?:großzügig|nett|praktisch|kreativ)|respekt|meisterwerk|ganz großes kino|sehr witzig|klar warum auch|schön dass|freut mich dass|danke (?:für|dass) (?:\\p{L}{1,12} ){0,4}(?:nichts|gelöscht|kaputt)',
      ],
      [
        0.8,
        '(?:toll|super|klasse|prima|wunderbar|herrlich|grossartig|danke|bravo|genial|glanzleistung|herzlichen gluckwunsch|schon)(?: \\p{L}{1,14}){0,6} (?:geloscht|kaputt|weg|ignoriert|rot|falsch|nichts|nicht mehr|gar nicht|auch nicht|leer|furs)',
      ],
      [
        0.7,
        'na (?:toll|super|prima|klasse|bravo|wunderbar|danke)|ach wie schon|ganz grosses kino|genau mein humor|wer braucht|sehr witzig|hilfreich',
      ],
    ],
  },
  bare: '(?:nein|nee|ne|falsch|nope|stopp?|halt|zuruck|nein nein|nicht so|so nicht|quatsch|immer noch rot|immer noch kaputt|mach das ruckgangig|rauf|was|warum|wieso|ernsthaft|geht nicht|stimmt nicht|nein falsch|ruckgangig|ruckgangig machen|revert|undo|hor auf|lass das)',
  own: 'viel besser|noch besser|(?:ich (?:hatte|habe|hab) )?vergessen zu (?:sagen|erwähnen)|ich (?:habe|hab) (?:selbst|selber|aus versehen|versehentlich)|(?:will|möchte) (?:erst|zuerst|vorher)|noch nicht (?:committen|pushen|mergen)|abgesagt|mein fehler|meine schuld|war(?:en)? (?:\\p{L}{1,6} )?ich|ich war (?:\\p{L}{1,8} )?(?:auf|im) (?:dem )?falschen|ich hätte (?:\\p{L}{1,8} )?(?:sagen|erwähnen|dazu|schreiben)|anders überlegt|ich brauche (?:den|die|das|ihn|es|sie)|heute nicht|erst mal so|(?:buchhaltung|chef|kunde|kunden|marketing|team) (?:will|wollen|möchte)|entschuldige ich|falsches fenster|vergiss (?:das|was|es|meine)|plananderung|plan (?:hat|andert)|neuer plan|hat sich (?:\\p{L}{1,12} )?(?:geandert|erledigt)|ich hatte (?:\\p{L}{1,12} ){0,3}(?:falsch|verwechselt)|war nur (?:ein )?(?:test|versuch)|jetzt (?:will|mochte|brauche|hatte|brauchen|wollen) (?:ich|wir)|will ich jetzt|ich weiss ich (?:hatte|habe)|zwar gesagt|doch anders|anders uberlegt|es mir (?:\\p{L}{1,10} )?uberlegt|mein (?:fehler|irrtum|tippfehler|versehen)|meine schuld|ich (?:\\p{L}{1,10} )?(?:geirrt|vertippt|verwechselt|vertan|verschrieben)|mich (?:\\p{L}{1,10} )?(?:geirrt|vertippt|vertan|verschrieben|unklar|falsch ausgedruckt)|ich (?:hatte|hab|habe) (?:\\p{L}{1,10} ){0,3}(?:vergessen|ubersehen|sagen sollen|erwahnen)|hatte ich (?:sagen|erwahnen)|(?:kunde|chef|chefin|kundin|produkt|design|marketing|rechtsabteilung|vertrieb|team|po|management|fachbereich|geschaftsfuhrung) (?:\\p{L}{1,10} )?(?:will|mochte|hat|haben|wunscht|mochten|wollen)|wir haben (?:uns )?(?:\\p{L}{1,12} ){0,4}(?:entschieden|beschlossen|geeinigt)|doch lieber|lieber doch|ware mir lieber|anforderung(?:en)? (?:hat|haben) sich|nicht mehr (?:notig|gebraucht|benotigt)|brauchen wir (?:doch )?nicht mehr|(?:nachste|nachsten|diese) (?:woche|monat|sprint)|morgen|feierabend|mittag|muss (?:\\p{L}{1,10} )?(?:los|weg|gehen|zug|neustarten)|meeting|termin|akku|laptop|zug|pause|vergiss es|egal|spater weiter|fur heute|du hattest recht|du hast recht|budget|freeze|im nachhinein|nach(?: langerem)? nachdenken|mein vorschlag war',
  others:
    '(?:der|dem|den|vom|unser|die) (?:kunden?|chef|chefin|auftraggeber|dienstleister|vertrieb)|mein chef|(?:er|sie) will|letztes jahr|vpn|(?:backend|frontend|ops|anderen?) ?(?:team|leute|kollegen)|wer hat (?:diesen|das|so|dieses|diese)|(?:der|die|das|dem|den|im|unser|unserem) alte[nrsm]? \\p{L}{2,14}|alte[rnsm]? (?:code|modul|version|shop)|meeting|besprechung|hintergrund|von 20\\p{N}{2}|seit (?:wochen|monaten|jahren|gestern|montag|immer|dem release)|schon immer|schon länger|keiner versteht|dieses? (?:verdammte|blöde|dumme|scheiß)\\p{L}{0,3}|jenkins|server (?:ist|war) (?:\\p{L}{1,8} )?(?:down|weg)|kunden (?:melden|beschweren|klagen|schreiben)|nichts (?:damit )?zu tun|vorgänger|dienstleister|praktikant|kolleg\\p{L}{0,4}|jemand anders|(?:alte|alter|altes|alten|legacy|bestehende|bestehenden|vorhandene|vorherige) (?:code|modul|version|implementierung|system|skript|test|tests|losung|fehler)|altlast|altcode|vorher schon|schon vorher|war (?:das )?(?:schon|vorher)|vor deiner|nicht deine schuld|liegt nicht an dir|nutzer (?:melden|meldet|berichten|beschweren)|kunden? (?:melden|meldet|berichtet|berichten|beschwert|beschweren)|in produktion|auf prod|produktiv|auf (?:main|master)|letzte(?:n|r)? (?:woche|monat|jahr|release|nacht)|gestern|vorganger|upstream|(?:aws|github|npm|stripe|anbieter|dienstleister|api|server|ci) (?:ist|war|hat|antwortet|liefert)|praktikant\\p{L}{0,2}|seit (?:wochen|monaten|tagen|dem release|gestern)|(?:er|sie|das team) hat',
  praise:
    '(?:danke|super|toll|perfekt|prima|klasse|gut|sehr gut|top|passt|sieht gut aus|schon|wunderbar|genau|ja|jo|jep|ok|okay|alles klar|stimmt|richtig|lauft|funktioniert|sauber|spitze)(?![\\p{L}])',
  further:
    '(?:jetzt|nun|als nachstes|bitte (?:noch|fug|schreib|erstell|bau|mach noch)|kannst du (?:noch|bitte|auch|mir)|konntest du|auch|ausserdem|dann|erstelle|schreib|implementier|fuge|fug|bau|wie|was|welche|wo|wer|wann|erklar|zeig|und noch|noch (?:eine|ein)|weiter)(?![\\p{L}])',
  content:
    'passt(?! nicht)|super(?! dann)|danke|prima|perfekt|klasse|sehr gut|gut|cool|funktioniert(?! nicht)|läuft(?! nicht)|genau so|sieht gut aus|top|ok|zufrieden|stimmt so|committen|mergen|einverstanden|gefällt mir',
  wish: '(?:^|bitte |noch |auch |jetzt |und )(?:bau|baue|füge|ergänze|schreib|schreibe|erstelle|implementiere|mach (?!das)|mache (?!das)|übersetze|dokumentiere|erweitere|ergänzen|einbauen|hinzufügen|nimm)(?= |$)|(?:das )?(?:gleiche|dasselbe|selbe)|als nächstes|zusätzlich|außerdem|weiter mit|noch (?:ein|eine|einen)|auch (?:noch|die|den|das)|nächste|ebenfalls|ab jetzt|eilt nicht|magst du|kannst du (?:auch|noch|dir)',
  asks: '^(?:und |gut |ok |cool |danke )?(?:was|wie|welche|welcher|welches|wann|wo|wozu|warum(?! (?:hast|ist|sind|löschst))|werden|wird|ist das|gibt es|kannst du mir)(?= )|eigentlich \\?|erklären|erklär|gibt es noch|schau dir|ansehen',
};
