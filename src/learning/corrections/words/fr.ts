/** `meanings.ts` parses it and describes the format. */
export const FR = `
you: tu t ton ta vous votre as peux pourrais avais étais veux fais
i: je j moi mon ma me m
we: nous on notre nos
party: il ils elle elles quelqu_un quelqu gens autre fournisseur_de graphiste* hébergeur client* chef équipe juridique
  support prestataire* fournisseur* recette comptable*
it: ça ca cela ce c cette celui celle
asked: demand* dit voulais parlé précisé écrit attendais
did: fait utilisé touché remplacé poussé commité inventé copié passé codé branché dupliqué changé modifié changement*
  modification* déplacé
make: ajoute ajouter mets écris écrire trie
remove: supprime supprimer enlève enlever retire vire efface nettoie
removed: supprimé enlevé retiré effacé viré supprimée supprimés disparaître jeté
change: change changer modifie modifier remplace adapte passe règle
omit: oublie* manqué ignore* sauté omis raté zappé négligé passé_à_côté laissé_de_côté loupé
fail: erreur* echoue* échec plant* plante_toujours casse* bug rouge bloque* ne_marche tombe timeout vide undefined null 404
  marche_pas
broke: as_cassé cassé_la bousillé ruiné détruit foutu pété corrompu régression abîmé massacré
work: marche* passent verts tourne
undo: annule* remet* reviens revenir restaure* retabli* revert rollback défais retour_en_arrière comme_avant remis rends
  ramène en_arrière
stop: stop arrete* suffit
keep: garde* laisse* reste touche_pas tel_quel
look: regarde* verifie* trouve contrôle
tell: explique montre liste donne
go: commit commite push pousse déploie publie release branche continue allez enchaîne
own: a_été_abandonné regarder_d_abord d_abord_regarder changé_d_avis change_d_avis refle* finalement j_ai_oublié_de
  oublié_de_dire oublié_de_préciser aurais_dû_dire par_erreur j_ai_supprimé_moi mauvaise_touche ma_faute je_me_suis
  me_suis_trompé j_ai_oublié c_est_moi
still: toujours encore toujours_pas
again: encore_une_fois à_nouveau de_nouveau combien_de_fois troisième_fois deuxième_fois sans_arrêt chaque_fois encore_un re
  rebelote
now: maintenant désormais là aujourd_hui
next: ensuite après prochain*
also: aussi en_plus pareil_pour même_chose_pour un_autre une_autre autre_chose
only: seulement juste que_les
instead: plutôt au_lieu à_la_place
already: déjà exist* on_a_déjà
before: avant était étaient
not: jamais personne pas ne n rien aucun* sans ni plus
all: tout tous toute* partout
no: non nan nope nn
why: pourquoi où_est pourquoi_as pourquoi_tu pourquoi_il
what: quoi que qu quel quelle* comment où quand qui quels
can: peut pourriez
is: est sont y_a a ont
should: dois doit devrait devai* faut fallait faudrait aurais_dû
but: mais pourtant par_contre or en_revanche
please: stp svp s_il_te merci_de
thanks: merci
good: bien super parfait génial nickel top bon bonne impeccable cool beau mieux très_bien ok oui d_accord ça_marche les_deux
wrong: faux fausse mauvais* incorrect erroné n_importe_quoi mal tromp* bêtise* nul nulle pourri inexact contresens
  malentendu inversé à_l_envers moche horrible inutilisable confond*
missing: manque manquent manquant* disparu* perdu incomplet moitié reste_à manquait
same: même pareil identique
extra: trop usine_à_gaz surdimensionné compliqué exagéré illisible lourd inutile* superflu* pas_demandé rien_demandé
  de_ton_propre sans_demander sans_me personne_n_a qui_t_a hors_sujet hors_périmètre rien_à_voir rien_à_faire
old: vieux ancien* hier depuis semaines mois ans legacy lundi l_an ce_matin
later: demain pour_l_instant réunion batterie train appel ce_soir
file: fichier* dossier module
new: nouve*
wish: à_partir_de on_peut tu_peux_aussi au_passage
use: utilise utilises utiliser utilisons prends
here: ici chez_nous
`;
