import type { LanguageWords } from './language-words.ts';

export const FR: LanguageWords = {
  faults: {
    accusing: [
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
    sarcasm: [
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
  own: 'oublie (?:ca|ce que)|changement de plan|nouveau plan|les plans ont|a change|jai fait une erreur|cetait (?:juste )?(?:un test|pour tester)|maintenant (?:je|on|jaimerais) (?:veux|veut|voudrais|prefere|aimerais)|je sais que (?:jai|javais)|javais dit (?:\\p{L}{1,14} ){1,8}mais|change(?:r)? davis|reflexion|ma faute|mon erreur|au temps pour moi|autant pour moi|cest moi qui|je me suis (?:\\p{L}{1,10} )?(?:trompe|trompee|mal exprime|mal exprimee|emmele)|jai (?:\\p{L}{1,8} ){0,2}(?:oublie|mal (?:dit|explique|ecrit|lu)|confondu)|jaurais du|javais oublie|desole je|pardon je|(?:client|cliente|chef|produit|design|marketing|juridique|po|equipe|direction|metier) (?:\\p{L}{1,10} )?(?:veut|veulent|a|ont|prefere|souhaite|demande|voudrait)|on a (?:\\p{L}{1,10} ){0,2}decide|(?:je|on) prefere(?:rait|rais)?|finalement|tout compte fait|les besoins ont|plus besoin|nest plus (?:necessaire|utile)|semaine prochaine|prochain sprint|demain|plus tard|ce soir|midi|reunion|dejeuner|je dois (?:\\p{L}{1,10} )?(?:partir|filer|y aller|redemarrer)|batterie|train|laptop|pause|tant pis|laisse tomber|pour aujourdhui|tu avais raison|tu as raison|budget|gel|en y repensant',
  others:
    'collegues?|quelquun dautre|(?:ancien|ancienne|vieux|vieille|legacy|existant|existante) (?:code|module|version|implementation|systeme|script|test|tests|solution)|code (?:legacy|existant|herite)|avant (?:toi|tes|que tu|nous)|deja (?:casse|la|comme ca|rouge|present) (?:avant|sur)|pas (?:de )?ta faute|cest pas toi|utilisateurs? (?:\\p{L}{1,12} )?(?:signalent|signale|se plaignent|remontent|disent|voient|ont)|clients? (?:\\p{L}{1,12} )?(?:signalent|signale|se plaignent|se plaint|remontent|remonte)|en prod|en production|sur (?:main|master)|(?:semaine|mois|annee|version|release) (?:derniere|dernier|precedente)|hier|prestataire|stagiaire|upstream|(?:aws|github|npm|stripe|lapi|le fournisseur|serveur|la ci) (?:\\p{L}{1,6} )?(?:est|etait|a|renvoie|repond|tombe)|depuis (?:des|la|le|hier|plusieurs)|(?:il|elle|ils) (?:a|avait|ont) (?:oublie|casse|laisse|pousse|ecrit)',
  praise:
    '(?:merci|super|parfait|genial|nickel|top|bien|tres bien|cool|excellent|impec|ca marche|ok|daccord|oui|ouais|exact|exactement|cest bon|tout est bon|bravo|chouette|magnifique|bon travail|beau travail)(?![\\p{L}])',
  further:
    '(?:maintenant|ensuite|aussi|puis|ajoute|cree|ecris|implemente|peux tu (?:aussi|ajouter|me|expliquer)|tu peux (?:aussi|ajouter|me|expliquer)|pourrais tu|est ce que tu peux|comment|que|quel|quelle|ou|qui|quand|explique|montre|et (?:aussi|puis)|autre chose|continue|vas y)(?![\\p{L}])',
};
