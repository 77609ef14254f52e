import type { LanguageWords } from './language-words.ts';

export const PL: LanguageWords = {
  faults: {
    accusing: [
      [
        0.9,
        'kto (?:ci )?(?:kazał|powiedział|prosił)|(?:nie )?umiesz czytać|czy ty (?:w ogóle|naprawdę)|sprawdziłeś|testowałeś|nie (?:powinieneś|miałeś|wolno ci)|co (?:ci )?(?:mówiłem|pisałem|powiedziałem)|(?:mówiłem|prosiłem|pisałem|powiedziałem)',
      ],
      [
        0.65,
        '(?:dodałe[sś]|usun[ąa]łe[sś]|zmieniłe[sś]|skasowałe[sś]|zapomniałe[sś]|zepsułe[sś]|zignorowałe[sś]|pomin[ąa]łe[sś]|nadpisałe[sś]|wymyśliłe[sś]|ruszyłe[sś]|zainstalowałe[sś]|zrobiłe[sś]|napisałe[sś]|przeniosłe[sś]|wyłączyłe[sś]|pomyliłe[sś]|wrzuciłe[sś]|wstawiłe[sś]|użyłe[sś]|wywaliłe[sś])',
      ],
      [
        0.95,
        '(?:zapomniales|zapomnialas|pominales|pominąles|pominelas|zepsules|zepsulas|zignorowales|nadpisales|zle zrozumiales|zle przeczytales|wymysliles|przeoczyles|popsules|rozwaliles|pomyliles|zgubiles|przekreciles|olales|schrzaniles|pominąles|pominales|pominąłeś|zapominasz|ignorujesz|psujesz)',
      ],
      [
        0.9,
        '(?:nie|nigdy|tylko|wcale nie) (?:\\p{L}{1,8} )?\\p{L}{3,16}(?:les|las|łeś)(?![\\p{L}])|miales|mialas',
      ],
      [
        0.8,
        '(?:usunales|usunąles|usunelas|skasowales|wyrzuciles|wykasowales|zahardkodowales|wylaczyles|zakomentowales|obnizyles|zmockowales|zamockowales|scommitowales|zacommitowales|wypchnales|ruszyles|zduplikowales|pomieszales|zgadywales|dotknales|wyciales)',
      ],
      [
        0.5,
        '(?:zmieniles|zmienilas|przemianowales|zastapiles|przeniosles|edytowales|dodales|uzyles|napisales|zrobiles|wstawiles|przepisales|stworzyles|podmieniles|dales|zostawiles)',
      ],
      [
        0.6,
        '(?:dlaczego|czemu|po co|po cholere|na co) (?:\\p{L}{1,10} ){0,3}(?:\\p{L}{3,16}(?:les|las|łeś)|ruszasz|zmieniasz|usuwasz|to robisz|tam|teraz|nadal)',
      ],
      [
        0.5,
        '(?:twoja|twoje|twoj|twojej|twoich|twojego) (?:zmiana|zmiany|zmianie|poprawka|poprawki|poprawce|kod|commit|commicie|wersja|rozwiazanie|refaktor|zmianach)',
      ],
    ],
    unasked: [
      [
        0.9,
        'nie (?:o to|to|tego|tak)(?: \\p{L}{1,10}){0,3}(?: (?:chodziło|chciałem|prosiłem|miałem|mówiłem))?|chciałem (?:tylko|żeby|zachować)|miał[yoa]? (?:być|zostać|tylko)|miał być|mają zostać|prosiłem|o których (?:pisałem|mówiłem)|nikt (?:nie|o to|cię)|jak (?:prosiłem|mówiłem|ustaliliśmy)|nie prosiłem|nie trzeba było|(?:w|według) (?:tickecie|zadaniu|specyfikacji)|wolałbym|spodziewałem|miałem na myśli|powinn[oayi]|powinien',
      ],
      [0.5, 'i tyle|tylko \\p{L}{2,14}$|nie \\p{L}{2,14}$'],
      [
        0.97,
        '(?:nie|zupelnie nie|wcale nie) (?:o )?(?:to|tak|tego|tam|taki|takie|w ten sposob)(?: mi)? ?(?:\\p{L}{1,8} ){0,2}(?:chodzilo|prosilem|prosilam|chcialem|chcialam|mowilem|mialo|miale?m|chodzi|mialo byc)|nie o to|nie (?:prosilem|prosilam|prosil|mowilem|kazalem|chcialem)|nikt (?:\\p{L}{1,8} )?nie (?:prosil|kazal|mowil|chcial)|nigdy nie (?:prosilem|mowilem)',
      ],
      [
        0.8,
        '(?:prosilem|prosilam|mowilem|mowilam|pisalem|pisalam|chcialem|chcialam|chodzilo mi|mialem na mysli|powiedzialem|powiedzialam|zaznaczylem|wyraznie|napisalem|napisalam)',
      ],
      [
        0.7,
        '(?:zadanie|ticket|specyfikacja|spec|zgloszenie|instrukcja|polecenie|wymaganie|issue) (?:\\p{L}{1,8} )?(?:bylo|byla|mowi|mowilo|brzmialo|wymaga|mowila)',
      ],
      [
        0.75,
        '(?:nie tak|tak nie|nie ten|nie ta|nie to|nie tam|nie tutaj|nie w tym|nie ten plik|nie te|nie tego)',
      ],
    ],
    wrong: [
      [
        0.8,
        'zawiesza|wisi|czeka w nieskończoność|brakuje|połowy|połowa|niejasno|a nie cał\\p{L}{1,3}|wspominałem|nie tak miało',
      ],
      [
        0.8,
        'nie (?:działa|kompiluje|przechodzi|naprawia|pomaga|zgadza|jest|pasuje|znajduje|ładuje|rozwiązuje|wystarczy|ma sensu|odpowiada|buduje)(?: (?:się|naprawa|rozwiązanie|prawda))?|niczego nie|nieprawda|(?:jest|są) (?:\\p{L}{1,10} )?(?:źle|błędnie|zepsute|puste|odwrotnie|błąd|wszystkie)|a są|zniknął|zniknęł[aoy]|zginął|brakuje|brak|ukrywa|eksportuje wszystko|gorzej|zwraca (?:błąd|404|500|null)|wywala',
      ],
      [
        0.5,
        'niestety|zamiast|już nie|błąd|niepotrzebn\\p{L}{1,2}|zbędn\\p{L}{1,2}|za (?:dużo|długie|wolno)|źle',
      ],
      [
        0.95,
        '(?:jest|sa|bylo|calkiem|kompletnie|zupelnie|nadal|wszystko|to|dalej|totalnie) (?:\\p{L}{1,12} ){0,2}(?:zle|bledne|bledny|bledna|zepsute|zepsuty|zepsuta|niepoprawne|niepoprawny|bzdura|odwrotnie|na odwrot|popsute|do bani)|nie (?:jest|sa) (?:dobrze|poprawne|poprawnie|tak|ok|prawda)|to nie (?:to|tak|dziala|jest)|nie zgadza sie',
      ],
      [
        0.9,
        '(?:zly|zla|zle|zlym|zlej|niewlasciwy|niewlasciwym|niewlasciwa|bledny) (?:plik|pliku|miejsce|miejscu|branch|galaz|galezi|funkcja|funkcje|kolejnosc|tabela|tabeli|folder|folderze|kolumna|metoda|klasa|klase|test|kierunek|sciezka|wersja|nazwa|komponent|pole|srodowisko)',
      ],
      [0.55, 'zle|blednie|bledne|niepoprawnie|bzdura|bez sensu'],
      [
        0.75,
        '(?:nie|wciaz nie|juz nie) (?:\\p{L}{1,4} )?(?:dziala|dzialaja|kompiluje|kompiluja|przechodzi|przechodza|startuje|pomaga|pomoglo|pomogl|naprawia|istnieje|laduje|wystarczy|buduje|zadzialalo|wstaje)',
      ],
      [
        0.7,
        '(?:teraz|od tego czasu|przez to) (?:\\p{L}{1,14} ){0,5}(?:sypie|sypia|pada|padaja|wywala|blad|bledy|czerwone|czerwony|zniknelo|zniknal|zniknela|brakuje|gorzej|nie dziala|wali)',
      ],
      [0.65, '(?:prawie|nie do konca|w polowie|niekompletne|niekompletny|tylko polowa|polowicznie)(?: ale)?'],
      [0.35, 'brakuje|brak|zdublowane|podwojnie'],
    ],
    again: [
      [
        0.9,
        '(?:dalej|nadal|wciąż|ciągle|jeszcze) (?:nie|czerwon\\p{L}{1,2}|pada|błąd|to samo|jest|są|źle|\\p{L}{3,12})|znowu (?:to|nie|źle|ten|ta|zapomniałe\\p{L})|sprawdź (?:jeszcze raz|dokładnie|ponownie)|jeszcze raz|(?:drugi|trzeci|kolejny|ostatni|setny) raz|ile razy|jak już (?:mówiłem|pisałem)|przeczytaj|ten sam błąd',
      ],
      [
        0.95,
        '(?:nadal|wciaz|dalej|ciagle|caly czas) (?:\\p{L}{1,12} ){0,3}(?:nie|czerwone|czerwony|zepsute|zle|ten sam|to samo|blad|sypie|pada|wywala|brak|brakuje|pusto|jest|leci|sypia|padaja|wala)',
      ],
      [
        0.95,
        '(?:drugi|trzeci|czwarty|piaty|ostatni|kolejny|setny|enty|n ty) raz|ile razy|jak (?:juz )?(?:mowilem|mowilam|pisalem|pisalam|wspominalem)|juz (?:ci )?(?:mowilem|mowilam|pisalem|pisalam|prosilem)|powtarzam|znowu to samo|przeczytaj (?:\\p{L}{1,12} ){0,4}(?:jeszcze raz|ponownie|uwaznie|dokladnie)',
      ],
      [0.6, '(?:ten sam|to samo|taki sam|tym samym) (?:blad|problem|wynik|bug|bledem)'],
      [0.4, 'znowu|ponownie|jeszcze raz|znow'],
    ],
    undo: [
      [
        0.8,
        'przywr[óo]ć|przywrócić|cofnij|cofnąć|wycofaj|wyrzuć (?:to|je|go)|usuń to|oddaj|jak było|tak jak było|zostaw (?:\\p{L}{2,14} )?(?:w spokoju|jak|tak|je)|nie ruszaj|nie dotykaj|zachować|mają zostać|nie tak$|z powrotem',
      ],
      [
        0.75,
        '(?:cofnij|cofnac|wycofaj|wycofac|przywroc|przywrocic|odkrec|zrevertuj|revert|revertuj|rollback|odwroc|zwroc|oddaj|wroc do|przywracaj|undo)(?: \\p{L}{1,14}){0,3}|(?:tak )?jak bylo',
      ],
      [0.5, '(?:usun|wywal|wyrzuc|skasuj|zabierz) (?:to|te|ten|ta|stad)'],
    ],
    should: [
      [
        0.6,
        '(?:mial|miala|mialo|mialy|powinien|powinna|powinno|powinny|nie powinien|nie powinno|nie powinna|nie powinny|nie wolno|nie mozna|nalezalo|trzeba bylo) (?:\\p{L}{1,12} ){0,3}(?:byc|zostac|\\p{L}{3,14}c)?',
      ],
      [0.45, '(?:musi|musza|ma|maja) (?:byc|zostac|zwracac|pozostac)'],
      [0.35, 'zamiast|a nie'],
    ],
    stop: [
      [
        0.75,
        'przestan|przestaje|dosc|nie ruszaj|nie dotykaj|zostaw to|zostaw w spokoju|nie nie|rece precz|zatrzymaj',
      ],
      [
        0.5,
        '^(?:stop|stoj|czekaj|poczekaj|zaraz|nie(?! (?:ma problemu|ma pospiechu|spiesz|martw|trzeba|wiem|musisz|przejmuj))|halo|ej|ejze|no nie|o nie|serio|kurde|matko|co ty|boze|ludzie)(?![\\p{L}])',
      ],
      [
        0.6,
        '(?:zostaw|zostawic) (?:\\p{L}{1,14} ){1,4}(?:spokoju|tak|jak|bez zmian)|nie (?:ruszaj|zmieniaj|dotykaj|edytuj|usuwaj|kasuj|commituj|mockuj|rob|uzywaj|wylaczaj|obnizaj)',
      ],
    ],
    rule: [
      [
        0.75,
        'nie bez powodu|z jakiegoś powodu|celowo|specjalnie|(?:jest|są) (?:używan[yae]|generowan[yae]|potrzebn[yae])|potrzebuje|go potrzebuje|(?:mamy|jest|istnieje) już|już (?:mamy|jest|istnieje)|(?:nigdy|nie|zawsze) (?:używamy|robimy|commitujemy|mockujemy|ruszamy)|u nas|nie wolno|nasze zasady|ręcznie',
      ],
      [
        0.7,
        '(?:jest|sa|plik|kod|pliki) (?:\\p{L}{1,12} ){0,3}(?:generowany|generowane|wygenerowany|wygenerowane|autogenerowany|tylko do odczytu|zamrozony|publiczne)|recznie',
      ],
      [
        0.65,
        '(?:my|tu|tutaj|u nas|w tym projekcie|w tym repo) (?:\\p{L}{1,10} ){0,3}(?:nie|nigdy|zawsze|tylko|uzywamy)|(?:nie|nigdy|zawsze) (?:uzywamy|robimy|edytujemy|mockujemy|commitujemy)|(?:nasza|nasze|naszych|naszej) (?:konwencja|konwencje|konwencji|zasada|zasady|zasadami|styl|standard)',
      ],
      [
        0.5,
        '(?:jest|bylo|stoi) (?:\\p{L}{1,10} )?(?:napisane|w readme|w agents|w claude|w dokumentacji|w tickecie|w zadaniu)|(?:przeczytaj|zobacz|sprawdz|patrz) (?:\\p{L}{1,8} )?(?:readme|agents|claude|dokumentacje|ticket|spec|zasady)',
      ],
    ],
    claim: [
      [
        0.66,
        '(?:mowiles|mowilas|twierdziles|twierdzisz|napisales ze|mowisz|podobno|rzekomo|klamiesz|sklamales|nieprawda|to nie prawda|nie istnieje|pisales)',
      ],
      [
        0.6,
        '(?:jestes )?pewien|na pewno \\?|serio|powaznie|gdzie (?:jest|sa|sie podzial\\p{L}{0,2})|nie widze (?:\\p{L}{1,10} )?|nic sie nie zmienilo|nic (?:to )?nie (?:dalo|zmienilo)',
      ],
    ],
    polite: [
      [
        0.7,
        '(?:czy )?mógłbyś (?:\\p{L}{1,12} )?(?:ograniczyć|przywrócić|cofnąć|zostawić|usunąć|sprawdzić|zachować)|chciałbym (?:zachować|żeby)|wolałbym|niestety|obawiam się|teraz są|mały (?:błąd|problem|szczegół)|drobna (?:uwaga|poprawka)|wydaje mi się|chyba (?:\\p{L}{1,10} )?(?:nie|coś|zapomn)|nie do końca|przepraszam ale|natomiast',
      ],
    ],
    sarcasm: [
      [
        0.8,
        'brawo|świetnie (?:dwanaście|teraz|czyli|po prostu)|dokładnie to (?:miałem|chciałem|o co)|kto potrzebuje|po co komu|gratulacje|gratuluję|nazwiemy to|no (?:pięknie|ładnie|super|świetnie|brawo|tak)|jak miło|bardzo śmieszne|dzięki za (?:nic|usunięcie)|genialn[iey]|wspaniale|cudownie|uwielbiam|pięknie',
      ],
      [
        0.8,
        '(?:swietnie|super|brawo|dzieki|wspaniale|genialnie|gratulacje|pieknie|rewelacja|cudownie|fajnie|doskonale|dobra robota)(?: \\p{L}{1,14}){0,6} (?:usunales|skasowales|zepsules|nic|pada|padaja|czerwone|zle|zniknelo|zniknal|zignorowales|pusto|szkoda|oprocz|za nic|usuniecie|zepsucie)',
      ],
      [
        0.7,
        'no (?:swietnie|super|brawo|pieknie|ladnie|fajnie)|bardzo smieszne|dokladnie tego (?:mi )?(?:potrzebowalem|brakowalo)|uwielbiam (?:jak|gdy)|kto by|po prostu cudownie|geniusz',
      ],
    ],
  },
  bare: '(?:nie|zle|stop|nie nie|nie tak|tak nie|cofnij|cofnij to|przywroc|wycofaj|wycofaj to|nadal czerwone|nadal nie dziala|nie dziala|dalej nie dziala|znowu|serio|dlaczego|czemu|to nie to|blad|bzdura|dosc|przestan|revert|no nie|nieprawda)',
  own: 'dużo lepiej|jeszcze lepiej|zapomniałem (?:powiedzieć|dodać)|sam (?:usunąłem|zepsułem|skasowałem)|chcę najpierw|nie commituj jeszcze|mój błąd|moja wina|byłem na złej|powinienem był|zmieniłem zdanie|potrzebuję (?:portu|tego|go|jej)|dziś już nie|przepraszam powinienem|nie to okno|jednak wszystkich|księgowość chce|klient (?:chce|zmienił)|zdecydowaliśmy|zapomnij (?:o|co)|zmiana planow|plany sie|nowy plan|zmienilo sie|zmienily sie|to byl (?:tylko )?test|teraz (?:chce|chcemy|wole|potrzebuje|wolalbym)|wiem ze (?:mowilem|prosilem)|mowilem (?:\\p{L}{1,14} ){1,8}ale teraz|zmienil(?:em|am|ismy) zdanie|rozmyslil(?:em|am)|po namysle|przemysleniu|przemyslal(?:em|am)|(?:moj|moja) (?:blad|wina|pomylka|literowka)|z mojej winy|(?:ja )?(?:pomylil(?:em|am)|zapomnial(?:em|am)|zle (?:napisal(?:em|am)|powiedzial(?:em|am)|wytlumaczyl(?:em|am)|wyjasnil(?:em|am))|nie dopisal(?:em|am)|przejezyczyl(?:em|am))|powinienem byl|powinnam byla|sorki|przepraszam (?:ja|za|pomyl\\p{L}{1,6}|zle)|(?:klient|klientka|szef|szefowa|produkt|design|marketing|prawnicy|po|zespol|zarzad|biznes) (?:\\p{L}{1,10} )?(?:chce|chca|zdecydowal|zmienil|prosi|woli|jednak|postanowil)|(?:zdecydowalismy|postanowilismy|ustalilismy)|wolal(?:bym|abym)|wole|jednak wole|wymagania sie|juz nie (?:potrzebujemy|potrzebuje|jest potrzebne|trzeba)|(?:przyszlym|nastepnym|kolejnym) (?:tygodniu|sprincie|miesiacu)|jutro|pozniej|spotkanie|obiad|musze (?:\\p{L}{1,8} )?(?:leciec|isc|wyjsc|zrestartowac|spadac)|bateria|laptop|pociag|przerwa|niewazne|na dzis|miales racje|masz racje|budzet|jednak',
  others:
    '(?:tego|ten|nasz|mój)? ?(?:klienta|klient|szef|szefa|dostawcy|dostawca)|znowu chce|w zeszłym roku|poprzedniego|vpn|zespół|kto napisał|star(?:y|ego|ym|a|e) \\p{L}{2,14}|spotkanie|tło|z 20\\p{N}{2}|od (?:tygodni|miesięcy|lat|zawsze|wczoraj|poniedziałku)|nikt (?:go|jej|tego) już|ten (?:cholerny|przeklęty|głupi)|jenkins|(?:klienci|użytkownicy) (?:skarżą|zgłaszają|mówią)|nie ma (?:to )?związku|dostawca|stażysta|kolega|koleg\\p{L}{1,2}|kolezank\\p{L}{1,2}|ktos inny|(?:stary|stare|starego|starym|legacy|istniejacy|istniejace|poprzedni|poprzednia|odziedziczony) (?:kod|kodu|kodzie|modul|wersja|implementacja|system|skrypt|test|testy|rozwiazanie)|legacy|zanim (?:zaczales|ty|cokolwiek)|przed (?:twoja|twoimi|toba)|juz (?:wczesniej|przedtem|bylo|byly|byl)|wczesniej (?:juz|tez)|nie twoja (?:wina|sprawka)|uzytkownicy (?:\\p{L}{1,10} )?(?:zglaszaja|zglosili|narzekaja|mowia|widza)|klienci (?:\\p{L}{1,10} )?(?:zglaszaja|zglosili|narzekaja)|na (?:produkcji|prodzie|main|mainie|masterze|master)|(?:zeszlym|ostatnim|poprzednim) (?:tygodniu|miesiacu|roku|wydaniu)|wczoraj|stazyst\\p{L}{1,2}|dostawca|upstream|(?:aws|github|npm|stripe|api|serwer|ci) (?:jest|byl|bylo|zwraca|lezy|padl|padlo)|od (?:tygodni|miesiecy|dni|wczoraj|dawna)|(?:on|ona|oni) \\p{L}{3,14}(?:l|la|li)',
  praise:
    '(?:dzieki|dziekuje|super|swietnie|dobrze|bardzo dobrze|idealnie|perfekcyjnie|fajnie|ok|okej|tak|jasne|zgadza sie|dokladnie|dziala|gotowe|wyglada dobrze|dobra robota|brawo|pieknie|git|spoko)(?![\\p{L}])',
  further:
    '(?:teraz|potem|tez|takze|nastepnie|dodaj|stworz|napisz|zaimplementuj|zrob|czy mozesz|mozesz (?:tez|dodac|wyjasnic|pokazac)|jak|co|ktory|gdzie|kto|kiedy|wyjasnij|pokaz|i jeszcze|dalej|kontynuuj|oprocz tego)(?![\\p{L}])',
  content:
    'bardzo dobrze|dobrze|super|świetnie dzięk|dzięk(?:i|uję)|spoko|ok|działa|zadowolon[ay]|idealnie|wygląda (?:bardzo )?dobrze|zgoda|commituj|fajnie|gotowe',
  wish: '(?:^|też |teraz |i |potem |dodatkowo )(?:dodaj|stwórz|napisz|zaimplementuj|zrób|przetłumacz|opisz|wygeneruj|opisać|daj)(?= |$)|to samo (?:na|z|dla)|też|także|dodatkowo|teraz (?:paginacja|nim|\\p{L}{4,14}cja)|następn[yea]|potem|jeszcze (?:jeden|wskaźnik|jedno)|jednak|nie spieszy|zajmij się',
  asks: '^(?:a |ok |spoko |dobrze |dziękuję )?(?:do czego|co|jak|które|który|kiedy|gdzie|dlaczego|czy|są|ile|po co)(?= )|wyjaśnisz|wyjaśnij|możesz na to|od zawsze|nie ma to związku|są jeszcze',
};
