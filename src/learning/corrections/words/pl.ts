import type { LanguageWords } from './language-words.ts';

export const PL: LanguageWords = {
  faults: {
    accusing: [
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
    sarcasm: [
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
  own: 'zapomnij (?:o|co)|zmiana planow|plany sie|nowy plan|zmienilo sie|zmienily sie|to byl (?:tylko )?test|teraz (?:chce|chcemy|wole|potrzebuje|wolalbym)|wiem ze (?:mowilem|prosilem)|mowilem (?:\\p{L}{1,14} ){1,8}ale teraz|zmienil(?:em|am|ismy) zdanie|rozmyslil(?:em|am)|po namysle|przemysleniu|przemyslal(?:em|am)|(?:moj|moja) (?:blad|wina|pomylka|literowka)|z mojej winy|(?:ja )?(?:pomylil(?:em|am)|zapomnial(?:em|am)|zle (?:napisal(?:em|am)|powiedzial(?:em|am)|wytlumaczyl(?:em|am)|wyjasnil(?:em|am))|nie dopisal(?:em|am)|przejezyczyl(?:em|am))|powinienem byl|powinnam byla|sorki|przepraszam (?:ja|za|pomyl\\p{L}{1,6}|zle)|(?:klient|klientka|szef|szefowa|produkt|design|marketing|prawnicy|po|zespol|zarzad|biznes) (?:\\p{L}{1,10} )?(?:chce|chca|zdecydowal|zmienil|prosi|woli|jednak|postanowil)|(?:zdecydowalismy|postanowilismy|ustalilismy)|wolal(?:bym|abym)|wole|jednak wole|wymagania sie|juz nie (?:potrzebujemy|potrzebuje|jest potrzebne|trzeba)|(?:przyszlym|nastepnym|kolejnym) (?:tygodniu|sprincie|miesiacu)|jutro|pozniej|spotkanie|obiad|musze (?:\\p{L}{1,8} )?(?:leciec|isc|wyjsc|zrestartowac|spadac)|bateria|laptop|pociag|przerwa|niewazne|na dzis|miales racje|masz racje|budzet|jednak',
  others:
    'koleg\\p{L}{1,2}|kolezank\\p{L}{1,2}|ktos inny|(?:stary|stare|starego|starym|legacy|istniejacy|istniejace|poprzedni|poprzednia|odziedziczony) (?:kod|kodu|kodzie|modul|wersja|implementacja|system|skrypt|test|testy|rozwiazanie)|legacy|zanim (?:zaczales|ty|cokolwiek)|przed (?:twoja|twoimi|toba)|juz (?:wczesniej|przedtem|bylo|byly|byl)|wczesniej (?:juz|tez)|nie twoja (?:wina|sprawka)|uzytkownicy (?:\\p{L}{1,10} )?(?:zglaszaja|zglosili|narzekaja|mowia|widza)|klienci (?:\\p{L}{1,10} )?(?:zglaszaja|zglosili|narzekaja)|na (?:produkcji|prodzie|main|mainie|masterze|master)|(?:zeszlym|ostatnim|poprzednim) (?:tygodniu|miesiacu|roku|wydaniu)|wczoraj|stazyst\\p{L}{1,2}|dostawca|upstream|(?:aws|github|npm|stripe|api|serwer|ci) (?:jest|byl|bylo|zwraca|lezy|padl|padlo)|od (?:tygodni|miesiecy|dni|wczoraj|dawna)|(?:on|ona|oni) \\p{L}{3,14}(?:l|la|li)',
  praise:
    '(?:dzieki|dziekuje|super|swietnie|dobrze|bardzo dobrze|idealnie|perfekcyjnie|fajnie|ok|okej|tak|jasne|zgadza sie|dokladnie|dziala|gotowe|wyglada dobrze|dobra robota|brawo|pieknie|git|spoko)(?![\\p{L}])',
  further:
    '(?:teraz|potem|tez|takze|nastepnie|dodaj|stworz|napisz|zaimplementuj|zrob|czy mozesz|mozesz (?:tez|dodac|wyjasnic|pokazac)|jak|co|ktory|gdzie|kto|kiedy|wyjasnij|pokaz|i jeszcze|dalej|kontynuuj|oprocz tego)(?![\\p{L}])',
};
