/** See `../meanings.ts` for how it is read. */
export const PL = `
you: ty ci ciebie cię twój twoja twoje twojej twojego twoich masz jesteś możesz mógłbyś powinieneś miałeś
  chcesz zrobiłeś tobie
i: ja mi mnie mój moja moje moim mojej mam
we: my nas nasz* nam zróbmy
they: on oni ona ktoś ludzie ktokolwiek
party: dostawca_poczty operator kto_to_napisał
  klient* klienci koleg* szef* zespół użytkownik* stażyst* marketing prawnik* dział support wsparcie
  projektant* grafik* dostawca qa księgow* tester* biznes
it: to ten ta te tego tym tak takie
asked: prosiłem prosiłam mówiłem powiedziałem pisałem chciałem chodziło wspominałem kazałem zadanie_było
  wymagan* prośba ustaliliśmy umawialiśmy oczekiwałem napisałem poprosiłem zamówi* polecenie miało_być
  miał_być miały_być prosilem ustalone chciałam
want: chcę potrzebuję chciałbym wolę potrzebujemy wolałbym przydałoby
did: użyłeś zrobione ruszałeś ruszyłeś zastąpiłeś nadpisałeś zainstalowałeś wypchnąłeś zacommitowałeś
  uruchomiłeś stworzyłeś utworzyłeś wymyśliłeś skopiowałeś wygenerowałeś przepisałeś wstawiłeś wrzuciłeś
  dałeś podmieniłeś odpaliłeś wprowadziłeś zduplikowałeś napisałeś zrobiles uzyles dales wstawiles
add: dodaj dodać dorzuć dopisz wstaw uwzględnij dołóż
added: dodałeś dodane dodano dodales dopisałeś dorzuciłeś
remove: usuń usunąć skasuj wywal wyrzuć wytnij posprzątaj
removed: usunąłeś skasowałeś wyrzuciłeś usunięte wywaliłeś usunales usunięto wyciąłeś zniknął
change: zmień zmienić zaktualizuj popraw podmień użyj ustaw dostosuj przełącz zamień
changed: zmieniłeś zmienione zmiana zmiany zmianę zmienił zmieniles zmodyfikowałeś
make: zrób stwórz utwórz napisz zaimplementuj wygeneruj przygotuj zbuduj przetłumacz zrefaktoruj wydziel
  udokumentuj opracuj
move: przenieś
moved: przeniosłeś przemianowałeś przeniesione nazwę_zmieni*
omit: zapomniałeś pominąłeś zignorowałeś przeoczyłeś ignorujesz zapomniales pominales olałeś opuściłeś
  zabrakło pomijasz
fail: błąd błędy błędem nie_działa nie_działają pada padają wywala sypie crash wyjątek czerwon* bug bugi wisi
  zawiesza zepsut* timeout pusty undefined null 500 404 nie_przechodzi nie_przechodzą leży wykrzacza
  wysypuje
broke: zepsułeś popsułeś rozwaliłeś zniszczyłeś schrzaniłeś spieprzyłeś regresja zepsules popsute rozjechał*
  namieszałeś
work: działa działają przechodzi przechodzą zielone zielony śmiga hula
undo: cofnij przywróć wycofaj wróć revert rollback odkręć z_powrotem cofnąć przywrócić wycofać cofnąłem
  przywróciłem jak_było
stop: stop przestań przerwij dość wystarczy zatrzymaj przerwałem stój koniec
wait: czekaj poczekaj chwila moment zaraz zaczekaj spokojnie pauza wstrzymaj
keep: zostaw zachowaj trzymaj nie_ruszaj nie_dotykaj nietknięt* utrzymaj pozostaw zostać
fix: napraw rozwiąż naprawić poprawić
fixed: naprawione naprawiłeś poprawione poprawiłeś rozwiązane
look: sprawdź zobacz przeczytaj spójrz zerknij obejrzyj porównaj poszukaj zbadaj znajdź sprawdzić
tell: wyjaśnij pokaż powiedz opisz podsumuj wymień wytłumacz
redo: spróbuj ponów od_nowa jeszcze_raz powtórz od_początku
ship: commit commituj zacommituj push wypchnij merge zmerguj wdróż opublikuj pr branch release wrzuć
run: uruchom odpal puść
go: kontynuuj dalej działaj lecimy jedziemy zaczynaj śmiało leć jedź
mind: odwołany odwołano anulowano anulowany teraz_chce najpierw_zobaczyć najpierw_obejrzeć nie_jest_już_potrzeb*
  zmieniłem_zdanie rozmyśliłem po_namyśle przemyślałem zdecydowałem zdecydowaliśmy jednak nieważne
  nieaktualne już_nie_potrzeb* zmiana_planów zapomnij_o odpuść
mine: zapomniałem_powiedzieć zapomniałem_wspomnieć powinienem_był sam_usunąłem sam_skasowałem przez_przypadek przypadkiem nie_twoja_wina zły_klawisz niechcący
  mój_błąd moja_wina pomyliłem zapomniałem źle_napisałem moje_niedopatrzenie złe_okno nie_to_okno pomyłka
  powinienem sam_zepsu* to_ja
still: nadal wciąż ciągle jeszcze
again: znowu znów ponownie trzeci_raz drugi_raz ile_razy kolejny_raz po_raz za_każdym
now: teraz obecnie dzisiaj dziś aktualnie nagle
next: potem następnie kolejny kolejne kolejna później następny następne
also: też także również jeszcze_jed* dodatkowo to_samo_dla ponadto przy_okazji
only: tylko jedynie wyłącznie
instead: zamiast raczej
actually: właściwie naprawdę w_rzeczywistości serio tak_naprawdę faktycznie
already: już istnieje istniejąc* mamy_już jest_już
before: wcześniej przedtem był było były pierwotnie działało poprzednio przed
never: nigdy nikt
always: zawsze każdy każda każde
all: wszystko wszystkie wszędzie cały całe całą wszystkich
not: nie nic bez żaden żadnych żadnego ani
no: nope nah
why: dlaczego czemu po_co skąd
what: co
how: jak
which: który która które gdzie kiedy kto jaki jaka jakie
can: można czy_możesz da_się możemy
is: czy jest są ma mają
should: powinno powinien powinna powinny musi muszą trzeba należy miało miał miały nie_wolno wolno
but: ale oprócz poza lecz tylko_że natomiast z_wyjątkiem
if: jeśli jeżeli gdy
because: bo ponieważ żeby aby dlatego
please: proszę prosze
thanks: dzięki dziękuję dzieki dziekuje
good: 👍 👌 🎉 ❤ 🙏 dobrze super świetnie świetna idealnie pięknie ładnie dobra dobry ekstra spoko rewelacja lepiej
  doskonale git zgadza cieszę
ok: ok okej jasne zgoda pewnie no_dobra oba
sorry: przepraszam sorry niestety wybacz
wrong: źle błędny błędna błędnie niepoprawn* nieprawda zły zła złe bzdura głup* odwrotnie pomyliłeś
  nieporozumienie brzydk* okropn* bezużyteczn* bałagan nie_tak niewłaściw* mylisz fałsz*
missing: brakuje brak zniknęło zniknęły zniknęła zgubi* niekompletn* połowa pół pusto
same: sam samo sama ten_sam to_samo identyczn* bez_zmian tak_samo
other: inny inna inne innego gdzie_indziej inaczej
excess: za_dużo zbyt za_długi za_duż* przekombinowane skomplikowan* przesad* nieczyteln*
extra: niepotrzebn* zbędn* nikt_nie kto_ci na_własną_rękę bez_pytania samowol* poza_zakresem
  nie_ma_nic_wspólnego nieproszon*
hack: obejście oszust* oszukiwanie ukry* zamiat* zakomentowałeś wyłączyłeś wyłączon* hardkod* zahardkodowałeś
  mock zamockowałeś prowizorka łatka tłumi* sleep maskuj* na_sztywno
rule: zasad* reguł* konwencj* wytyczn* specyfikacj* ticket contributing agents_md claude_md dokumentacj*
  standard* generowan* wygenerowan* makiet* readme kontrakt schemat
old: stary stara stare wczoraj od_tygodni zeszł* tygodni miesięcy lat legacy dawno poniedziałku od_dawna
  dziś_rano
prod: produkcj* prod staging serwer* pipeline sieć vpn github gitlab docker jenkins npm przeglądark* maszyn*
  laptop chrome internet aws
later: jutro na_razie w_przyszłym obiad lunch spotkanie kawa bateri* pociąg telefon wieczorem weekend
  zaraz_wracam
seem: wydaje wygląda chyba myślę widzę zauważyłem zauważyłam sądzę widać
claim: mówiłeś powiedziałeś twierdzisz podobno rzekomo obiecałeś według_ciebie niby piszesz_że kłam* zmyśl*
swear: 🤬 😡 kurwa cholera cholern* kurde szlag do_diabła wtf jasna jezu
wow: 🙄 brawo gratulacje wow genialn* cudownie wspaniale fantastycznie poważnie oczywiście komu_potrzeb*
  uwielbiam haha lol mistrz magicznie no_to_super
hm: hm hmm eee ech ach no_nie oj uff ej no
test: test testy testów testu pokrycie
file: plik pliki pliku plików folder katalog moduł ścieżka
code: kod kodu funkcja funkcji funkcję metoda klasa komponent endpoint tabela kolumna kolumny zapytanie
  przycisk strona formularz pole pola config konfiguracja migracja skrypt linia linii zmienna import typ
  ekran
really: bardzo całkowicie kompletnie zupełnie wcale w_ogóle nawet
maybe: może ewentualnie a_gdyby co_jeśli czy_moglibyśmy ciekawi ciekawe zastanawiam
new: nowy nowa nowe nowego nowych
first: najpierw pierwszy pierwsze po_pierwsze wreszcie w_końcu drugi
until: dopóki aż jak_tylko
done: gotowe skończone
correct: poprawnie poprawny prawidłow* prawda
understand: rozumiem zrozum* wiem sens jasno pojęcia
issue: problem problemy problemu
task: zadanie funkcjonalność projekt
report: zgłosił* zgłasza* skarż* zgłoszenie
diff: diff twoja_zmiana twoje_zmiany twój_kod twoja_poprawka twój_fix twoja_wersja twój_commit twojej_zmianie
  twoich_zmian
whence: gdzie_jest gdzie_są co_to_jest co_to_ma co_się_stało od_kiedy dlaczego_jest po_co_ci czemu_jest
outputs: pokazuje zwraca wyświetla dostaję wychodzi pojawia
number: dwa dwie dwóch trzy trzech cztery pięć sześć siedem osiem dziewięć dziesięć dwanaście sto tysiąc zero
wish: byłoby_fajnie byłoby_super byłoby_miło od_teraz na_przyszłość czy_dałoby czy_da czy_można możesz_też
  swoją_drogą w_przyszłości
`;
