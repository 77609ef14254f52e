import type { LanguageWords } from './language-words.ts';

export const FR: LanguageWords = {
  faults: {
    accusing: [
      [
        0.9,
        'qui (?:ta|t a|vous a) (?:dit|demandé)|tu (?:sais|peux) (?:pas )?lire|tu as (?:même|vraiment|seulement|juste|encore|bien)|est ce que tu as (?:vraiment|même|lu|testé)|tu (?:naurais|n aurais|aurais|ne devais|devais|dois|ne dois) (?:\\p{L}{1,10} ){0,2}(?:pas|jamais|juste|seulement|du)|quest ce que (?:jai|j ai) dit|jai dit',
      ],
      [
        0.65,
        '(?:tu as|ta|tas|tu nas|vous avez)(?: \\p{L}{1,12}){0,3} (?:ajouté|mis|supprimé|effacé|enlevé|retiré|changé|modifié|renommé|oublié|cassé|ignoré|écrasé|inventé|touché|installé|poussé|commité|fait|écrit|raté|sauté|mélangé|confondu)',
      ],
      [
        0.95,
        '(?:tu (?:as|mas|las|les as|nous as|en as)|tas|vous avez|tu viens de) (?:\\p{L}{1,14} ){0,3}(?:oublie|rate|casse|ignore|ecrase|mal compris|mal lu|invente|zappe|saute|foire|bousille|omis|loupe|detruit|perdu|plante|plantee|trompe)|tu tes (?:\\p{L}{1,10} )?trompe|tu te trompes|tu (?:oublies|casses|inventes|ignores)',
      ],
      [
        0.9,
        '(?:tu nas|vous navez|tu ne las|tu nen as|tu ne mas|tas) (?:\\p{L}{1,10} ){0,2}(?:pas|rien|jamais|que|toujours pas|aucun|aucune)|tu devais|tu etais cense|tu ne devais|tu nas',
      ],
      [
        0.8,
        '(?:tu (?:as|mas|las|les as)|tas|vous avez|tu viens de) (?:\\p{L}{1,14} ){0,3}(?:supprime|supprimer|efface|enleve|vire|code en dur|mis en dur|desactive|commente|baisse|mocke|committe|commite|pousse|touche|duplique|melange|confondu|devine)',
      ],
      [
        0.5,
        '(?:tu (?:as|mas|las|les as)|tas|vous avez) (?:\\p{L}{1,14} ){0,3}(?:change|renomme|remplace|deplace|modifie|ajoute|utilise|ecrit|fait|mis|cree|reecrit)',
      ],
      [0.6, 'pourquoi (?:\\p{L}{1,6} )?(?:tu|as tu|est ce que tu|avoir|vous|tas)'],
      [
        0.5,
        '(?:ta|tes|ton) (?:modif|modifs|modification|modifications|correctif|code|commit|version|correction|refacto|patch|changement|changements)',
      ],
      [0.8, '(?:tu as|tas|as tu) (?:vraiment|au moins|bien|meme)'],
    ],
    unasked: [
      [
        0.9,
        '(?:pas|jamais) (?:vraiment |du tout |exactement )?(?:ce que|ce qui|comme|celui que) (?:je|javais|j ai|jai|etait|était)|ne devait|ne devaient|il ne fallait|fallait pas|je voulais (?:juste|seulement|simplement|que)|la demande (?:était|portait)|(?:que )?javais (?:indiqué|demandé|dit|précisé|mentionné|bien)|comme (?:demandé|convenu|prévu|indiqué)|(?:je|on) (?:tai|t ai|ta|navais|n ai|nai) (?:\\p{L}{1,10} ){0,2}(?:demandé|dit)|personne (?:na|n a|ne ta)|(?:dans|selon) (?:le ticket|la spec|la tâche)|jaurais (?:préféré|aimé|voulu|pensé|attendu)',
      ],
      [0.5, 'seulement \\p{L}{2,14}$|cest tout|juste (?:les|la|le) \\p{L}{2,14}$|pas \\p{L}{2,14}$'],
      [
        0.97,
        '(?:pas|jamais|rien|absolument pas|pas du tout) (?:du tout )?(?:ce|celui|celle|comme ca|la ou|ca) (?:que |quon |qui )?(?:je|j|javais|jai|on|nous|voulais|demandais|avait)|pas ce que (?:je|j)|(?:nai|navais|na|navons) (?:jamais|pas|rien) (?:demande|dit|voulu|parle)|personne ne (?:ta|t|vous)|personne na|jai jamais|je ne tai (?:pas|jamais)|cest pas ce|ce nest pas ce|ce netait pas',
      ],
      [
        0.8,
        '(?:javais|jai|on avait|on a|je tavais|je tai|nous avions|je vous ai|je vous avais) (?:\\p{L}{1,14} ){0,4}(?:demande|dit|precise|ecrit|explique|specifie|parle de|indique)|je parlais|je voulais|je demandais|je disais',
      ],
      [
        0.7,
        '(?:la|le|les) (?:tache|ticket|spec|consigne|consignes|demande|issue|cahier) (?:etait|dit|disait|precise|demande|demandait|stipule)',
      ],
      [0.75, 'pas (?:comme ca|celui la|celle la|ce fichier|cette|la|ici|dans ce|le bon|la bonne)'],
    ],
    wrong: [
      [
        0.8,
        '(?:se )?bloque|plante|fige|attend (?:indéfiniment|pour)|manque|la moitié|mal exprimé|pas tout le|signalé|pas voulu|parle de',
      ],
      [
        0.8,
        '(?:ne )?(?:marche|fonctionne|passe|compile|corrige|résout|règle|change|sert|correspond|suffit|va|convient|démarre|trouve|affiche) (?:toujours |même |plus |vraiment )?(?:pas|plus|rien|à rien)|ne va pas|cest (?:faux|pas|nul|cassé|pire|inversé|vide|à l envers|toujours|encore)|(?:ce )?nest (?:pas|plus) (?:\\p{L}{1,8} )?(?:une |la |le |un )?(?:correction|solution|bon|bonne|vrai|correct|ça|cela|raison|cas|normal|possible|acceptable)|(?:a|ont|est|sont) (?:disparu|perdu|perdue|perdus|cassé|cassée|disparus|vide|faux|fausse|rouge|manquant)|cache le|là (?:elles|ils|il|elle|tu)|il manque|(?:me |ça )?(?:donne|renvoie|retourne) (?:une |un )?(?:404|500|erreur|null|rien)',
      ],
      [
        0.5,
        'malheureusement|au lieu|plutôt que|ne plus|erreur|pire|inutile|trop (?:long|compliqué|de)|bof|dommage',
      ],
      [
        0.95,
        '(?:cest|est|sont|etait|tout|completement|carrement|toujours|encore) (?:\\p{L}{1,12} ){0,2}(?:faux|fausse|errone|erronee|incorrect|nimporte quoi|pas bon|pas correct|pas ca|pas juste|casse|cassee|cassees|mauvais|a lenvers|pete)|nimporte quoi|ce nest pas (?:bon|ca|correct|juste)|cest pas (?:bon|ca|correct|juste|le bon|la bonne)|ca (?:ne )?va pas',
      ],
      [
        0.9,
        '(?:mauvais|mauvaise|mauvaises) (?:fichier|endroit|branche|fonction|ordre|table|dossier|colonne|methode|classe|test|sens|chemin|version|nom|repertoire|composant|champ)|pas (?:le bon|la bonne|les bons|les bonnes|au bon)|trompe de',
      ],
      [0.55, 'faux|incorrect|errone'],
      [
        0.75,
        '(?:ne |n)?(?:marche|fonctionne|compile|passe|passent|demarre|tourne|build|corrige|suffit|sert|existe|resout) (?:\\p{L}{1,10} ){0,2}(?:pas|plus|rien|toujours pas)',
      ],
      [
        0.7,
        '(?:maintenant|du coup|depuis|resultat) (?:\\p{L}{1,14} ){0,6}(?:plante|echoue|echouent|casse|erreur|rouge|disparu|manque|pire|plus rien|ne marche)',
      ],
      [0.65, '(?:presque|pas mal|pas tout a fait|a moitie|incomplet|incomplete)(?: mais)?'],
      [0.35, 'manque|manquent|doublon|en double'],
    ],
    again: [
      [
        0.9,
        'toujours (?:rouge|pas|le|la|cassé|en|aussi|faux)|encore (?:rouge|cassé|faux|une fois|le même|la même)|regarde (?:mieux|bien|encore|à nouveau)|(?:la|pour la) (?:deuxième|troisième|énième|dernière) fois|combien de fois|comme (?:je|jai) (?:lai |l ai )?(?:déjà )?dit|relis|vérifie (?:encore|mieux)',
      ],
      [
        0.95,
        '(?:toujours|encore) (?:\\p{L}{1,12} ){0,3}(?:pas|rouge|casse|faux|la|erreur|la meme|le meme|rien|ko|vide|echoue|present)|(?:echoue|plante|casse|pareil|rouge) (?:toujours|encore)|toujours pas|toujours (?:la |le |les )?meme',
      ],
      [
        0.95,
        '(?:deuxieme|troisieme|quatrieme|enieme|derniere|2e|3e|2eme|3eme|nieme) fois|combien de fois|comme (?:je (?:lai|tai|lavais|tavais)(?: deja)? (?:dit|demande)|dit|deja dit)|je repete|je te lai deja|je tai deja|deja dit|relis (?:\\p{L}{1,12} ){0,4}|encore une fois',
      ],
      [0.6, '(?:meme|memes) (?:erreur|erreurs|probleme|bug|resultat)'],
      [0.4, 'encore|a nouveau|de nouveau'],
    ],
    undo: [
      [
        0.8,
        'remets(?: \\p{L}{1,12}){0,3}|remettre|à remettre|annule(?: (?:ça|tout|cela|le|la|les))?|enlève(?: moi)? (?:ça|cela|le|la|les)|enlève moi|rétablis|restaure|reviens|revenir|retire (?:ça|le|la|les)|comme (?:avant|c était|cétait)|garde (?:les|le|la|l)|laisse (?:les|le|la) (?:\\p{L}{1,14} ){0,2}(?:tranquille|comme|tels)|touche pas|ne touche|pas comme ça',
      ],
      [
        0.75,
        '(?:annule|annuler|annulez|reviens|revenir|revert|reverte|remets|remet|remettre|remettez|retablis|restaure|rollback|defais|rends moi) (?:\\p{L}{1,14} ){0,5}(?:comme|avant|ca|tout|en place|arriere|le|la|les|moi|cette|ces|ton|ta|tes|en arriere|etat)?|annule|revert|marche arriere|retour arriere|reviens en arriere',
      ],
      [0.5, '(?:enleve|retire|vire|supprime) (?:moi )?(?:ca|le|la|les|tout|cette|ce)'],
    ],
    should: [
      [
        0.6,
        '(?:aurait|aurais|auraient) (?:\\p{L}{1,6} )?(?:du|fallu|dues)|(?:devait|devaient|etait cense|etaient cense\\p{L}?|ne devrait|ne devait|ne doit|ne doivent|ne fallait|il fallait|fallait) (?:\\p{L}{1,12} ){0,4}',
      ],
      [0.45, '(?:doit|doivent|devrait|devraient) (?:\\p{L}{1,10} )?(?:etre|rester|renvoyer|retourner|aller)'],
      [0.35, 'au lieu d\\p{L}{1,3}|plutot que|a la place'],
    ],
    stop: [
      [
        0.75,
        'arrete (?:de|ca|tout|toi)|arretez|stop (?:ca|tout|la)|non non|ca suffit|laisse tomber ca|touche pas|ne touche',
      ],
      [
        0.55,
        '^(?:stop|arrete|attends|attendez|non|nan|hop|oula|oulah|euh non|mais non|ah non|he|eh|serieux|serieusement|putain|bordel)(?![\\p{L}])',
      ],
      [
        0.6,
        '(?:laisse|laissez|garde) (?:\\p{L}{1,14} ){1,5}(?:tranquille|comme|tel quel|intact|en paix)|(?:ne |n)?(?:touche|modifie|change|supprime|commit|mocke|edite) (?:\\p{L}{1,8} ){0,2}(?:pas|jamais|plus)',
      ],
    ],
    rule: [
      [
        0.75,
        'pour une (?:bonne )?raison|exprès|volontaire|(?:est|sont) (?:utilisé|utilisée|utilisés|généré|générés|nécessaire)(?: par| dans| automatiquement)?|en a besoin|on (?:a|utilise|ne|n|fait|utilise) (?:\\p{L}{1,10} ){0,3}(?:déjà|jamais|pas|toujours|que)|il (?:y a|existe) déjà|pas le droit|chez nous|nos (?:règles|conventions)|(?:interdit|à la main)',
      ],
      [
        0.7,
        '(?:est|sont|cest|fichier|fichiers|code) (?:\\p{L}{1,12} ){0,3}(?:genere|generee|generes|autogenere|auto genere|en lecture seule|gele|intouchable|publique)|a la main',
      ],
      [
        0.65,
        '(?:on|nous) (?:\\p{L}{1,8} )?(?:\\p{L}{2,14} )?(?:jamais|toujours|pas de|nutilise|utilise pas|ne \\p{L}{2,14} pas)|chez nous|notre (?:convention|regle|style|standard)|nos (?:conventions|regles|standards)|convention (?:ici|du projet)|dans ce (?:projet|repo|depot)',
      ],
      [
        0.5,
        '(?:cest|est) (?:\\p{L}{1,10} )?(?:ecrit|marque|indique|precise) (?:dans|noir)|(?:regarde|lis|voir|suis) (?:\\p{L}{1,4} )?(?:readme|agents|claude|doc|guide|consignes|ticket|spec)',
      ],
    ],
    claim: [
      [
        0.66,
        '(?:tu (?:dis|disais|pretends|affirmes|mas dit|as dit|avais dit|pretendais|annonces)|soi disant|faux tu|tu mens|menti|nexiste pas|existe pas|ce nest pas vrai|cest pas vrai|pas vrai)',
      ],
      [
        0.6,
        '(?:tes|tu es) (?:sur|sure|serieux|certain)|serieusement|vraiment \\?|ou (?:est|sont|sont passes|est passe)|je (?:ne )?vois (?:pas|rien|aucun|aucune)|rien na change|rien (?:de )?change',
      ],
    ],
    polite: [
      [
        0.7,
        'pourrais tu (?:\\p{L}{1,12} ){0,2}(?:limiter|remettre|annuler|garder|laisser|enlever|revenir|vérifier|rétablir|éviter)|jaimerais (?:bien |quand même )?(?:garder|que|conserver)|je préférerais|jaurais préféré|malheureusement|pour linstant il|petit (?:problème|souci|détail)|petite (?:erreur|correction|remarque)|je crois (?:que|qu)|il me semble|pas tout à fait|désolé',
      ],
    ],
    sarcasm: [
      [
        0.8,
        'génial|bravo|super (?:maintenant|alors)|exactement ce que (?:je|jappelle)|qui a besoin|quelle (?:surprise|bonne idée|merveille|générosité)|félicitations|on pourra dire|ah (?:oui|super|génial|bravo|bah)|chapeau|quel (?:talent|génie)|très drôle|bien joué|jadore|merci (?:pour|davoir) (?:\\p{L}{1,12} ){0,4}(?:rien|supprimé|cassé|effacé)|formidable|magnifique',
      ],
      [
        0.8,
        '(?:bravo|super|genial|merci|parfait|formidable|magnifique|bien joue|chapeau|felicitations|excellent|top|impeccable)(?: \\p{L}{1,14}){0,6} (?:supprime|efface|casse|plus|rien|plante|rouge|faux|perdu|disparu|ignore|vide|planter|sauf|pour rien)',
      ],
      [
        0.7,
        'ah bravo|ah super|ah genial|ah ben bravo|bien sur voyons|quelle bonne idee|tres drole|trop fort|jadore (?:comment|quand|le|la)|qui a besoin|du grand art',
      ],
    ],
  },
  bare: '(?:non|nan|faux|stop|arrete|mais non|non non|pas ca|pas comme ca|annule|annule ca|nimporte quoi|encore|toujours pas|pourquoi|serieux|serieusement|rate|ca marche pas|ca ne marche pas|marche pas|toujours rouge|toujours casse|perdu|reviens en arriere|remets comme avant|revert|non pas ca|ah non|euh non)',
  own: 'bien mieux|encore mieux|oublié de (?:dire|préciser)|moi même|je veux (?:d abord|dabord)|pas encore|annulé le projet|(?:ma|de ma) faute|mon erreur|jétais (?:sur|dans) (?:la|le) mauvais|jaurais dû|jai changé d|jai besoin (?:du|de la|de)|pas aujourdhui|désolé jai|mauvaise fenêtre|finalement|la compta veut|le client (?:veut|a changé)|on a décidé|oublie (?:ca|ce que)|changement de plan|nouveau plan|les plans ont|a change|jai fait une erreur|cetait (?:juste )?(?:un test|pour tester)|maintenant (?:je|on|jaimerais) (?:veux|veut|voudrais|prefere|aimerais)|je sais que (?:jai|javais)|javais dit (?:\\p{L}{1,14} ){1,8}mais|change(?:r)? davis|reflexion|ma faute|mon erreur|au temps pour moi|autant pour moi|cest moi qui|je me suis (?:\\p{L}{1,10} )?(?:trompe|trompee|mal exprime|mal exprimee|emmele)|jai (?:\\p{L}{1,8} ){0,2}(?:oublie|mal (?:dit|explique|ecrit|lu)|confondu)|jaurais du|javais oublie|desole je|pardon je|(?:client|cliente|chef|produit|design|marketing|juridique|po|equipe|direction|metier) (?:\\p{L}{1,10} )?(?:veut|veulent|a|ont|prefere|souhaite|demande|voudrait)|on a (?:\\p{L}{1,10} ){0,2}decide|(?:je|on) prefere(?:rait|rais)?|finalement|tout compte fait|les besoins ont|plus besoin|nest plus (?:necessaire|utile)|semaine prochaine|prochain sprint|demain|plus tard|ce soir|midi|reunion|dejeuner|je dois (?:\\p{L}{1,10} )?(?:partir|filer|y aller|redemarrer)|batterie|train|laptop|pause|tant pis|laisse tomber|pour aujourdhui|tu avais raison|tu as raison|budget|gel|en y repensant',
  others:
    '(?:ce|le|du|notre|les) (?:client|chef|patron|fournisseur|prestataire)s?|mon chef|il veut|lan dernier|vpn|léquipe|équipe (?:backend|front|infra|data)|qui a (?:écrit|fait|codé)|lancien|ancienne? \\p{L}{2,14}|vieux|vieille|réunion|contexte|date de 20\\p{N}{2}|depuis (?:des semaines|des mois|des années|toujours|hier|lundi|la mise)|plus personne|(?:ce|cette) (?:fichu|maudit|foutu|satané)e?|jenkins|les (?:clients|utilisateurs) (?:se plaignent|signalent|disent)|rien à voir|prestataire|stagiaire|collègue|collegues?|quelquun dautre|(?:ancien|ancienne|vieux|vieille|legacy|existant|existante) (?:code|module|version|implementation|systeme|script|test|tests|solution)|code (?:legacy|existant|herite)|avant (?:toi|tes|que tu|nous)|deja (?:casse|la|comme ca|rouge|present) (?:avant|sur)|pas (?:de )?ta faute|cest pas toi|utilisateurs? (?:\\p{L}{1,12} )?(?:signalent|signale|se plaignent|remontent|disent|voient|ont)|clients? (?:\\p{L}{1,12} )?(?:signalent|signale|se plaignent|se plaint|remontent|remonte)|en prod|en production|sur (?:main|master)|(?:semaine|mois|annee|version|release) (?:derniere|dernier|precedente)|hier|prestataire|stagiaire|upstream|(?:aws|github|npm|stripe|lapi|le fournisseur|serveur|la ci) (?:\\p{L}{1,6} )?(?:est|etait|a|renvoie|repond|tombe)|depuis (?:des|la|le|hier|plusieurs)|(?:il|elle|ils) (?:a|avait|ont) (?:oublie|casse|laisse|pousse|ecrit)',
  praise:
    '(?:merci|super|parfait|genial|nickel|top|bien|tres bien|cool|excellent|impec|ca marche|ok|daccord|oui|ouais|exact|exactement|cest bon|tout est bon|bravo|chouette|magnifique|bon travail|beau travail)(?![\\p{L}])',
  further:
    '(?:maintenant|ensuite|aussi|puis|ajoute|cree|ecris|implemente|peux tu (?:aussi|ajouter|me|expliquer)|tu peux (?:aussi|ajouter|me|expliquer)|pourrais tu|est ce que tu peux|comment|que|quel|quelle|ou|qui|quand|explique|montre|et (?:aussi|puis)|autre chose|continue|vas y)(?![\\p{L}])',
  content:
    'parfait|très bien|super|merci|bien|cool|ça marche(?! pas)|ça fonctionne(?! pas)|ok|nickel|contente?|impeccable|daccord|cest bon|commit',
  wish: '(?:^|aussi |maintenant |ensuite |et |puis )(?:ajoute|crée|écris|implémente|fais|traduis|documente|mets|génère|ajouter|documenter)(?= |$)|la même chose|pareil|aussi|ensuite|de plus|en plus|également|prochaine?|encore (?:un|une)(?! fois)|finalement|pas urgent|ajoute la|regarde celui',
  asks: '^(?:et |ok |cool |bien |merci )?(?:à quoi|quoi|comment|quels?|quelles?|pourquoi(?! (?:tu|as))|quand|où|est ce que|y a t il|il y en a|combien|quest ce que)(?= )|expliquer|explique|tu peux (?:regarder|m expliquer|mexpliquer)|depuis toujours|rien à voir',
};
