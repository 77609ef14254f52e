import type { LanguageWords } from './language-words.ts';

export const NL: LanguageWords = {
  faults: {
    accusing: [
      [
        0.9,
        'wie heeft (?:je )?(?:gezegd|gevraagd)|kun je (?:niet|eigenlijk|wel) lezen|heb je (?:het )?(?:überhaupt|wel|echt|eigenlijk|niet)|(?:dat )?(?:had|hadden) (?:je )?niet|je (?:had|moest|mag|moet) (?:\\p{L}{1,12} ){0,4}(?:niet|alleen|nooit)|wat heb ik|heb ik (?:niet )?(?:gezegd|gevraagd)',
      ],
      [
        0.65,
        '(?:je|jij) (?:hebt|heb|bent|had)(?: \\p{L}{1,14}){0,6} (?:ingebouwd|toegevoegd|toegevoegt|verwijderd|weggehaald|veranderd|gewijzigd|aangepast|hernoemd|vergeten|overgeslagen|gemist|genegeerd|kapot|kapotgemaakt|overschreven|verzonnen|aangeraakt|geïnstalleerd|gepusht|gecommit|gemaakt|geschreven|gedaan|verwisseld|gesloopt|gezet|gebruikt)|heb je(?: \\p{L}{1,14}){0,5} (?:verwijderd|weggehaald|veranderd|aangepast|vergeten|gewist)',
      ],
      [
        0.95,
        '(?:je (?:hebt|bent|heb)|heb je|ben je|u heeft) (?:\\p{L}{1,14} ){0,6}(?:vergeten|kapotgemaakt|kapot gemaakt|genegeerd|overschreven|verkeerd begrepen|verkeerd gelezen|verzonnen|overgeslagen|weggelaten|verpest|gesloopt|gemist|verknald)|je (?:vergat|miste|vergeet|negeert|negeerde|sloeg)',
      ],
      [
        0.9,
        '(?:je (?:hebt|bent)|heb je) (?:\\p{L}{1,14} ){0,5}(?:niet|alleen|nooit|geen|niks|niets|maar|helemaal niet)|je (?:had|moest) (?:\\p{L}{1,12} ){0,5}(?:moeten|niet)',
      ],
      [
        0.8,
        '(?:je (?:hebt|bent)|heb je) (?:\\p{L}{1,14} ){0,6}(?:verwijderd|gewist|weggehaald|weggegooid|gehardcoded|hardcoded|uitgezet|uitgeschakeld|uitgecommentarieerd|verlaagd|gemockt|gecommit|gepusht|aangeraakt|gedupliceerd|verward|gegokt)',
      ],
      [
        0.5,
        '(?:je (?:hebt|bent)|heb je) (?:\\p{L}{1,14} ){0,6}(?:veranderd|gewijzigd|hernoemd|vervangen|verplaatst|aangepast|toegevoegd|gebruikt|geschreven|gemaakt|gezet|herschreven|omgezet)',
      ],
      [
        0.6,
        '(?:waarom|hoezo|waarvoor) (?:heb|ben|doe|verander|raak|haal|gebruik|pas|staat|is|zet|blijf) (?:je|dit|dat|er|nu|de|het)',
      ],
      [
        0.5,
        '(?:jouw|je) (?:wijziging|wijzigingen|fix|code|commit|versie|oplossing|patch|aanpassing|aanpassingen|refactor)',
      ],
    ],
    unasked: [
      [
        0.9,
        'niet (?:echt |helemaal |precies )?(?:wat|hoe) (?:ik|we)|niet wat|(?:het |dat )?(?:moest|moesten|zou|zouden|hoorde|had) (?:\\p{L}{1,12} ){0,4}(?:maar|alleen|zijn|blijven|moeten|staan|worden)|ik (?:wilde|wou) (?:maar|alleen|gewoon|juist|enkel)|gevraagd (?:was|waren|werd)|de (?:opdracht|vraag|taak) was|(?:die|zoals|wat) ik (?:noemde|zei|vroeg|vermeldde|had gezegd)|ik (?:had|heb) (?:\\p{L}{1,12} ){0,4}(?:gezegd|gevraagd|geschreven|bedoeld|verwacht|gehoopt|liever)|niemand (?:heeft|vroeg)|zoals (?:afgesproken|gevraagd|gezegd)|(?:in|volgens) (?:het|de) (?:ticket|spec|opdracht|issue)|had liever|had verwacht|bedoelde',
      ],
      [0.5, 'meer niet|alleen \\p{L}{2,14}$|geen \\p{L}{2,14}$|niet \\p{L}{2,14}$'],
      [
        0.97,
        '(?:niet|nooit|helemaal niet|totaal niet) (?:\\p{L}{1,10} )?(?:wat|zoals|waar|hoe|die|dat|de) (?:\\p{L}{1,8} ){0,2}(?:ik|we) (?:\\p{L}{1,10} ){0,3}(?:vroeg|bedoelde|wilde|wou|zei|gevraagd|bedoel|wil|gezegd|had|heb)|(?:heb|had) ik (?:\\p{L}{1,8} ){0,3}(?:niet|nooit) (?:om )?(?:gevraagd|gezegd)|niemand (?:vroeg|heeft)|(?:ik|we) (?:vroeg|vroegen|heb|had) (?:\\p{L}{1,8} ){0,3}(?:niet|nooit)|dat was niet de',
      ],
      [
        0.8,
        '(?:ik|we) (?:had|heb|hadden|hebben|vroeg|zei|bedoelde|wilde|wou|schreef|vroegen) (?:\\p{L}{1,14} ){0,6}(?:gezegd|gevraagd|geschreven|bedoeld|toch|expliciet|duidelijk|specifiek|alleen|juist|om)|ik bedoelde|ik bedoel|ik zei|ik vroeg|ik wilde',
      ],
      [
        0.7,
        '(?:de|het) (?:taak|ticket|opdracht|spec|issue|instructie|instructies|vraag|eis) (?:was|zegt|zei|waren|vraagt|luidde)',
      ],
      [
        0.75,
        '(?:niet zo|zo niet|niet die|niet dat|niet dit|niet daar|niet hier|niet in die|niet deze|die niet|dat niet|deze niet)',
      ],
    ],
    wrong: [
      [
        0.8,
        'hangt|blijft (?:\\p{L}{1,8} )?(?:hangen|wachten|eeuwig)|loopt vast|ontbreekt|ontbreken|de helft|niet duidelijk|niet het hele|niet de bedoeling|bedoeling|hoort',
      ],
      [
        0.8,
        '(?:werkt|klopt|gaat|compileert|helpt|lukt|past|slaagt|bouwt|doet|vindt|toont|laadt|hoort|deugt|volstaat) (?:\\p{L}{1,10} ){0,4}(?:niet|niets|niks|nergens)|niet (?:klopt|werkt|goed|juist|waar|correct)|geen (?:oplossing|fix|echte)|(?:is|zijn|was) (?:\\p{L}{1,10} ){0,3}(?:fout|weg|kapot|leeg|verdwenen|kwijt|rood|onzin|verkeerd|dubbel|onbruikbaar|trager|slechter|erger|geen)|verbergt|exporteert alles|staan ze er|ontbreekt|ontbreken|mist|krijg (?:\\p{L}{1,8} ){0,2}(?:fout|error|404|500)|geeft (?:een )?(?:fout|error|404|500)',
      ],
      [
        0.5,
        'helaas|in plaats van|niet meer|fout|erger|overbodig|onnodig|te (?:veel|lang|ingewikkeld|groot)|jammer|kapot|verkeerd',
      ],
      [
        0.95,
        '(?:is|zijn|was|klopt|helemaal|totaal|gewoon|nog steeds|compleet|staat) (?:\\p{L}{1,12} ){0,2}(?:fout|verkeerd|kapot|onzin|niet goed|niet juist|niet correct|onjuist|stuk|andersom|achterstevoren)|klopt (?:\\p{L}{1,10} ){0,2}niet|kan niet kloppen|gaat niet goed|dat is het niet',
      ],
      [
        0.9,
        '(?:verkeerde|foute) (?:bestand|plek|plaats|branch|functie|volgorde|tabel|map|kolom|methode|klasse|test|richting|pad|versie|naam|component|veld|omgeving)',
      ],
      [0.55, 'fout|verkeerd|onzin|onjuist'],
      [
        0.75,
        '(?:werkt|werken|compileert|bouwt|start|slaagt|slagen|draait|helpt|lukt|bestaat|laadt|doet|lost) (?:\\p{L}{1,12} ){0,3}(?:niet|niks|niets|nooit|nog niet)',
      ],
      [
        0.7,
        '(?:nu|sindsdien|daardoor|hierdoor) (?:\\p{L}{1,14} ){0,5}(?:kapot|rood|weg|fout|fouten|faalt|falen|crasht|stuk|ontbreekt|erger|trager|niet meer)',
      ],
      [0.65, '(?:bijna|niet helemaal|half|onvolledig|maar de helft|niet compleet)(?: maar)?'],
      [0.35, 'ontbreekt|ontbreken|mist|dubbel'],
    ],
    again: [
      [
        0.9,
        'nog (?:steeds|altijd)|(?:kijk|lees) (?:\\p{L}{1,8} ){0,2}(?:goed|nog eens|opnieuw|beter)|alweer|weer (?:kapot|fout|hetzelfde|niet|mis)|(?:tweede|derde|zoveelste|laatste) keer|hoe vaak|zoals ik (?:al )?zei|dezelfde (?:fout|error)|ik zei',
      ],
      [
        0.75,
        '(?:nog steeds|nog altijd|steeds nog) (?:\\p{L}{1,12} ){0,3}(?:niet|rood|kapot|fout|dezelfde|hetzelfde|geen|falen|faalt|stuk|leeg|er)?|nog steeds',
      ],
      [
        0.95,
        '(?:tweede|derde|vierde|vijfde|laatste|zoveelste|honderdste) keer|hoe vaak|zoals (?:ik )?(?:al |eerder )?(?:zei|gezegd|aangaf|schreef)|ik herhaal|ik (?:zei|heb) (?:\\p{L}{1,8} ){0,2}al|al gezegd|lees (?:\\p{L}{1,12} ){0,4}(?:nog eens|opnieuw|goed|nogmaals)|alweer',
      ],
      [0.6, '(?:zelfde|dezelfde|hetzelfde) (?:fout|probleem|resultaat|bug|error|foutmelding)'],
      [0.4, 'weer|opnieuw|nogmaals'],
    ],
    undo: [
      [
        0.8,
        '(?:zet|draai|haal|breng|doe) (?:\\p{L}{1,12} ){0,4}(?:terug|eruit|weg|ongedaan)|terug(?:zetten|draaien|halen)?|ongedaan|maak (?:dat|het|dit) ongedaan|(?:laten|laat) (?:\\p{L}{1,14} ){0,3}(?:staan|met rust|zitten|zoals)|zoals het (?:was|eerst)|hoe het was|herstel|graag houden|behouden|blijf (?:\\p{L}{1,10} ){0,2}af|^zo niet|niet zo$|eruit',
      ],
      [
        0.75,
        '(?:draai|zet|maak|haal|doe|rol|breng) (?:\\p{L}{1,16} ){0,6}(?:terug|ongedaan)|terugdraaien|terugzetten|revert|herstel|herstellen|ongedaan|rollback|undo|terug (?:ermee|naar)',
      ],
      [
        0.5,
        '(?:weg|eruit) (?:ermee|daarmee)|haal (?:\\p{L}{1,12} ){0,4}(?:weg|eruit)|verwijder (?:dat|dit|die|het)|gooi (?:\\p{L}{1,12} ){0,4}weg',
      ],
    ],
    should: [
      [
        0.6,
        '(?:had|hadden|zou|zouden|moest|moesten|hoort|hoorde|hoeft|hoefde|mag|mocht) (?:\\p{L}{1,14} ){0,6}(?:moeten|blijven|niet|zijn|horen|worden)',
      ],
      [0.45, 'moet (?:\\p{L}{1,14} ){0,4}(?:zijn|blijven|heten|worden|staan)'],
      [0.35, 'in plaats van|ipv|maar juist'],
    ],
    stop: [
      [
        0.75,
        'hou op|houd op|stop (?:met|daarmee|nu)|blijf (?:\\p{L}{1,8} )?af|nee nee|kappen|genoeg|afblijven|laat dat',
      ],
      [
        0.5,
        '^(?:stop|wacht|nee(?! (?:hoor dank|dank|bedankt))|ho|hee|hey|nou|tjonge|jeetje|kom op|serieus|pfff?|huh|wat krijgen)(?![\\p{L}])',
      ],
      [
        0.6,
        '(?:laat|hou) (?:\\p{L}{1,16} ){1,5}(?:met rust|zo|zoals|staan|ongemoeid)|(?:raak|verander|wijzig|verwijder|commit|mock|bewerk|pas) (?:\\p{L}{1,16} ){0,5}(?:niet|nooit)(?: aan)?',
      ],
    ],
    rule: [
      [
        0.75,
        'niet voor niets|met een reden|een reden|expres|met opzet|wordt (?:\\p{L}{1,14} ){0,4}(?:gebruikt|gegenereerd|overschreven)|worden (?:\\p{L}{1,14} ){0,4}(?:gebruikt|gegenereerd)|heeft (?:dat|die|het) nodig|nodig heeft|(?:we|wij) (?:hebben|gebruiken|doen|committen|mocken|schrijven) (?:\\p{L}{1,12} ){0,4}(?:al|nooit|altijd|geen|niet|alleen)|bestaat al|er is al|(?:mogen|mag) (?:\\p{L}{1,12} ){0,4}niet|bij ons|onze (?:regels|afspraken|conventie)|handmatig|met de hand',
      ],
      [
        0.7,
        '(?:is|zijn|wordt|worden) (?:\\p{L}{1,12} ){0,3}(?:gegenereerd|gegenereerde|automatisch|alleen lezen|bevroren|verboden terrein|publiek)|gegenereerde? (?:bestand|code|bestanden)|met de hand|handmatig',
      ],
      [
        0.65,
        '(?:we|wij|hier) (?:\\p{L}{1,14} ){0,4}(?:nooit|altijd|niet|geen|alleen)|onze (?:conventie|conventies|regel|regels|stijl|standaard|afspraak|afspraken)|bij ons|in dit project',
      ],
      [
        0.5,
        '(?:staat|stond) (?:\\p{L}{1,12} ){0,4}(?:agents|readme|claude|docs|ticket|spec|opdracht|richtlijnen)|(?:lees|volg|zie|kijk) (?:\\p{L}{1,8} ){0,2}(?:readme|agents|claude|docs|ticket|spec|regels|richtlijnen)',
      ],
    ],
    claim: [
      [
        0.66,
        'je (?:zei|zegt|beweert|beweerde|beloofde|meldde|schreef)|zogenaamd|gelogen|leugen|niet waar|bestaat (?:\\p{L}{1,8} )?niet',
      ],
      [
        0.6,
        'weet je (?:het )?zeker|serieus|echt \\?|meen je|waar (?:is|zijn|blijft|blijven)|ik zie (?:\\p{L}{1,8} )?(?:niets|niks|geen|nergens)|niets (?:veranderd|gebeurd)|er is niets',
      ],
    ],
    polite: [
      [
        0.7,
        'zou je (?:\\p{L}{1,14} ){0,6}(?:beperken|terug|terugzetten|laten|ongedaan|behouden|weghalen|controleren|willen)|ik zou (?:\\p{L}{1,12} ){0,3}(?:graag|liever)(?: \\p{L}{1,12}){0,2} (?:houden|behouden|laten|zien)|eigenlijk|helaas|ik ben bang|kleinigheid|kleine (?:correctie|opmerking|fout)|volgens mij|ik denk dat (?:je|er|dit|dat)|niet helemaal|sorry maar|nu komen',
      ],
    ],
    sarcasm: [
      [
        0.8,
        'geweldig|knap hoor|precies wat ik|wie heeft (?:er )?(?:\\p{L}{1,10} ){0,2}nodig|lekker (?:dan|bezig)|gefeliciteerd|noemen we het|goed bezig|nou (?:mooi|geweldig|fijn|bedankt|super)|wat (?:fijn|mooi|aardig|een verrassing|handig)|bravo|heel grappig|bedankt voor (?:\\p{L}{1,12} ){0,3}(?:niets|verwijderen|slopen)|hulde|fijn dat|tuurlijk|ja hoor|o ja|prachtig|briljant|meesterlijk|applaus|fantastisch',
      ],
      [
        0.8,
        '(?:geweldig|super|top|mooi|bedankt|fantastisch|prachtig|goed gedaan|bravo|fijn|lekker|heerlijk|knap)(?: \\p{L}{1,14}){0,6} (?:verwijderd|kapot|weg|genegeerd|rood|fout|niks|niets|niet meer|leeg|jammer|behalve|voor niks)',
      ],
      [
        0.7,
        'nou (?:geweldig|bedankt|top|mooi|fijn|super|leuk|lekker)|heel grappig|precies wat ik (?:nodig|wilde)|lekker dan|wie heeft|wat fijn|mooi is dat',
      ],
    ],
  },
  bare: '(?:nee|fout|verkeerd|stop|nee nee|niet zo|zo niet|terugdraaien|draai terug|draai dat terug|zet terug|zet het terug|nog steeds rood|nog steeds kapot|nog steeds niet|werkt niet|weer|serieus|waarom|klopt niet|onzin|genoeg|revert|undo|nope|dat niet)',
  own: 'veel beter|nog beter|vergeten te zeggen|(?:heb )?zelf|wil er eerst|wil (?:\\p{L}{1,6} ){0,2}eerst|nog niet commit\\p{L}{0,3}|mijn (?:fout|schuld)|ik zat op de verkeerde|ik had (?:\\p{L}{1,8} )?(?:moeten|beter)|van gedachten|ik heb (?:de|het) \\p{L}{2,12} nodig|vandaag niet|sorry ik had|verkeerde venster|toch alle|boekhouding wil|de klant (?:wil|heeft)|we hebben besloten|bij nader inzien|vergeet (?:wat|dat|het)|plannen? (?:is|zijn) (?:veranderd|gewijzigd)|nieuw plan|is veranderd|was (?:maar )?een (?:test|proef)|(?:wil|willen|heb) (?:ik|we) nu|nu (?:wil|willen|heb) (?:ik|we)|ik weet dat ik|ik zei (?:\\p{L}{1,14} ){1,8}maar nu|van gedachten|bij nader inzien|achteraf|me bedacht|bedacht (?:me|dat ik)|mijn (?:fout|schuld|vergissing|typefout)|ik (?:\\p{L}{1,8} ){0,3}(?:vergist|vergiste|vergat|verkeerd (?:gezegd|getypt|uitgelegd)|onduidelijk|vergeten)|ik had (?:\\p{L}{1,8} ){0,3}(?:moeten zeggen|moeten vermelden|moeten melden)|sorry ik|(?:klant|baas|product|design|marketing|juridisch|po|team|directie|business) (?:\\p{L}{1,10} )?(?:wil|willen|heeft|hebben|vraagt|liever|wilt)|we hebben (?:\\p{L}{1,8} )?(?:besloten|afgesproken)|besloten|toch (?:maar )?liever|(?:heb|hebben) (?:\\p{L}{1,6} )?liever|de eisen|niet meer nodig|hoeft niet meer|(?:volgende|komende) (?:week|sprint|maand)|morgen|later verder|vergadering|lunch|meeting|ik moet (?:\\p{L}{1,8} )?(?:weg|gaan|herstarten|trein)|accu|laptop|trein|pauze|laat maar|maakt niet uit|voor vandaag|je had gelijk|je hebt gelijk|budget|overleg',
  others:
    '(?:die|de|onze|mijn) (?:klant|baas|leverancier|klanten)|wil hij|vorig jaar|vpn|(?:backend|frontend|andere)? ?team heeft|backendteam|wie heeft (?:deze|die|dit) (?:rommel|code|troep)|(?:de|het|in de) oude \\p{L}{2,14}|vergadering|achtergrond|van 20\\p{N}{2}|al (?:weken|maanden|jaren|altijd)|sinds (?:gisteren|maandag|de)|niemand begrijpt|die (?:verdomde|stomme|rot)\\p{L}{0,8}|jenkins|(?:klanten|gebruikers) (?:klagen|melden|zeggen)|niets (?:met|te maken)|leverancier|stagiair|collega|collegas?|iemand anders|(?:oude|legacy|bestaande|vorige|eerdere) (?:code|module|versie|implementatie|systeem|script|test|tests|oplossing)|legacy|voor jouw|voordat (?:je|jij|we)|(?:was|waren|stond) (?:\\p{L}{1,8} )?(?:al|eerder) (?:kapot|rood|fout|zo|stuk)|al (?:eerder|langer) (?:kapot|rood|stuk)|niet jouw (?:schuld|fout)|ligt niet aan jou|gebruikers? (?:\\p{L}{1,10} )?(?:melden|meldt|klagen|klaagt|zien|zeggen)|klanten? (?:\\p{L}{1,10} )?(?:melden|meldt|klagen|klaagt)|in prod|in productie|op (?:main|master)|(?:vorige|afgelopen) (?:week|maand|jaar|release|nacht)|gisteren|stagiair\\p{L}{0,2}|leverancier|upstream|(?:aws|github|npm|stripe|de api|server|de ci) (?:is|was|heeft|geeft|ligt)|al (?:weken|maanden|dagen)|(?:hij|zij|ze) (?:heeft|hebben|had)',
  praise:
    '(?:bedankt|dank je|dankjewel|top|super|perfect|mooi|goed|prima|heel goed|geweldig|ok|oke|ja|jep|klopt|precies|werkt|ziet er goed uit|fijn|netjes|lekker|helemaal goed|goed werk)(?![\\p{L}])',
  further:
    '(?:nu|daarna|ook|vervolgens|voeg|maak|schrijf|implementeer|kun je (?:ook|nog|even|mij)|kan je|zou je|hoe|wat|welke|waar|wie|wanneer|leg uit|laat zien|en (?:ook|nog)|verder|ga door|ga verder)(?![\\p{L}])',
  content:
    'perfect|heel goed|goed|bedankt|dank je|top|mooi|prima|ok|werkt(?! niet)|het werkt|tevreden|ziet er goed uit|akkoord|commit maar|super|klopt(?! niet)|fijn',
  wish: '(?:^|ook |nu |en |dan |daarna |verder )(?:voeg|maak|schrijf|implementeer|doe|vertaal|documenteer|bouw|genereer|documenteren)(?= |$)|hetzelfde (?:op|met|voor)|ook (?:nog|de|het|een)|daarnaast|nu (?:de|het)|volgende|straks|nog een|toch (?:alle|ook)|geen haast|voeg die toe|kijk daar nu',
  asks: '^(?:en |ok |mooi |goed |dank je )?(?:waar|wat(?! heb)|hoe(?! vaak)|welke|wanneer|waarom(?! (?:heb|is))|worden|wordt|zijn er|is er|hoeveel|kun je me)(?= )|uitleggen|leg uit|kun je daar|altijd al|niets met|zijn er nog',
};
