/** See `../meanings.ts` for how it is read. */
export const FR = `
you: tu t toi ton ta tes vous votre vos as es peux pourrais devrais avais étais veux fais
i: je j moi mon ma mes me m
we: nous on notre nos
they: il ils elle elles quelqu_un quelqu gens personne_d autre
party: fournisseur_de graphiste graphistes hébergeur
  client* clients collègue* chef patron équipe utilisateur* stagiaire* marketing juridique support
  designer* prestataire* fournisseur* qa recette métier comptable* commercial* prédécesseur*
it: ça ca cela ce c ceci cette cet celui celle
asked: demandé demandais dit voulais parlé précisé écrit mentionné demande souhaitais consigne* cahier
  exigence* attendais attendu spécifié convenu prévu prévue bien_dit disais demander
want: voudrais aimerais besoin souhaite préfère faut_que j_aimerais
did: fait mis utilisé touché remplacé écrasé réécrit installé poussé committé commité lancé exécuté créé
  inventé copié collé introduit généré basculé passé codé écrit_un pris branché réorganisé reformaté
  dupliqué mergé déployé
add: ajoute ajouter rajoute rajouter insère inclus mets
added: ajouté rajouté ajoutée ajoutés ajoutes
remove: supprime supprimer enlève enlever retire retirer vire virer efface nettoie dégage
removed: supprimé enlevé retiré effacé viré supprimée supprimés disparaître jeté
change: change changer modifie modifier mets_à_jour remplace remplacer utilise adapte passe règle ajuste
  corrige_le
changed: changé modifié modifiée changement* modification* modifiés
make: crée créer écris écrire implémente construis génère prépare rédige traduis refactorise extrait développe
  documente trie mets_en_place
move: déplace renomme déplacer renommer
moved: déplacé renommé
omit: oublié oublies oublie manqué ignoré ignores sauté omis raté zappé négligé passé_à_côté laissé_de_côté
  loupé oubliée
fail: erreur erreurs échoue échouent échec plante plantage plante_toujours crash crashe cassé cassée casse bug
  bugs bogue rouge exception bloque bloqué ne_marche ne_fonctionne tombe timeout vide undefined null 500
  404 marche_pas fonctionne_pas marche_plus flaky planté
broke: as_cassé cassé_la bousillé ruiné détruit foutu pété corrompu régression abîmé massacré
work: marche fonctionne passent vert verts marchent tourne
undo: annule annuler remets remettre reviens revenir restaure restaurer rétablis rétablir revert rollback
  défais retour_en_arrière comme_avant annulé remis rends ramène en_arrière
stop: stop arrête arrêter arrêtez halte suffit interromps interrompu arrêté
wait: attends attendez minute doucement pause une_seconde deux_secondes
keep: garde garder laisse laisser conserve conserver reste touche_pas touche_plus tel_quel
fix: corrige répare résous corriger réparer fixe
fixed: corrigé réparé résolu
look: regarde vérifie relis lis vois regarder vérifier compare examine cherche trouve contrôle inspecte
tell: explique montre dis décris résume liste raconte donne
redo: recommence réessaie refais recommencer réessaye essaie de_zéro
ship: commit commite committe push pousse merge fusionne déploie publie release pr branche livre rebase
run: lance exécute relance lancer démarre
go: continue vas_y allez poursuis on_y_va avance enchaîne
mind: a_été_annulé a_été_abandonné est_annulé vient_de_me_dire veut_maintenant regarder_d_abord d_abord_regarder n_est_plus_nécessaire voir_d_abord
  changé_d_avis change_d_avis réflexion réfléchi décidé finalement tout_compte tant_pis laisse_tomber
  plus_besoin oublie_ça en_fin_de_compte changement_de_plan a_changé ont_changé
mine: j_ai_oublié_de oublié_de_dire oublié_de_préciser aurais_dû_dire moi_même par_erreur par_mégarde j_ai_supprimé_moi pas_ta_faute mauvaise_touche
  mon_erreur ma_faute je_me_suis me_suis_trompé j_ai_oublié ma_bêtise c_est_moi autant_pour_moi
  au_temps_pour mauvaise_fenêtre j_avais j_aurais j_ai_mal
still: toujours encore toujours_pas
again: encore_une_fois à_nouveau de_nouveau combien_de_fois troisième_fois deuxième_fois sans_arrêt chaque_fois
  encore_un re rebelote
now: maintenant désormais actuellement là soudain aujourd_hui
next: ensuite puis après prochaine prochain suivant suivante
also: aussi également en_plus pareil_pour de_même même_chose_pour un_autre une_autre par_ailleurs autre_chose
only: seulement juste uniquement que_les rien_que
instead: plutôt au_lieu à_la_place
actually: en_fait vraiment en_réalité franchement
already: déjà existe existant* existait on_a_déjà
before: avant auparavant était étaient initialement marchait fonctionnait d_origine
never: jamais personne
always: toujours_les chaque systématiquement
all: tout tous toute toutes partout entier ensemble
not: pas ne n rien aucun aucune sans ni plus
no: non nan nope nn
why: pourquoi
what: quoi que qu qu_est quel quelle
how: comment
which: où quand qui lequel laquelle quels quelles
can: peux_tu pourrais_tu peut pouvez pourriez pourrait possible
is: est sont y_a a ont es_tu est_ce
should: dois doit devrait devait faut fallait faudrait censé censée devaient aurait_dû aurais_dû
but: mais sauf cependant pourtant par_contre hormis excepté or en_revanche
if: si
because: parce car puisque comme_ça pour_que à_cause
please: stp svp s_il_te s_il_vous merci_de
thanks: merci
good: 👍 👌 🎉 ❤ 🙏 bien super parfait génial nickel top bon bonne excellent impeccable chouette cool beau mieux bravo_c
  ça_roule très_bien content
ok: ok oui d_accord ouais okay entendu ça_marche va_pour les_deux
sorry: désolé pardon excuse* hélas malheureusement navré
wrong: faux fausse mauvais mauvaise incorrect erroné n_importe_quoi mal trompé tromp* bêtise* nul nulle pourri
  inexact contresens malentendu inversé à_l_envers moche horrible inutilisable confondu confonds
missing: manque manquent manquant* disparu disparue perdu incomplet moitié reste_à manquait
same: même mêmes pareil identique inchangé inchangée
other: autres différent* ailleurs
excess: trop usine_à_gaz surdimensionné compliqué exagéré illisible lourd
extra: inutile* superflu* pas_demandé rien_demandé de_ton_propre sans_demander sans_me personne_n_a qui_t_a
  hors_sujet hors_périmètre rien_à_voir rien_à_faire
hack: bidouille contournement triche* masque* cache caches planque commenté désactivé désactiver désactives
  contourné en_dur bricolage rustine étouffe mock mocké avale sparadrap sleep neutralisé
rule: règle* convention* consignes charte guide norme* spec ticket contributing agents_md claude_md doc
  documentation généré* maquette cahier_des readme contrat schéma
old: vieux vieille ancien* hier depuis dernière dernier semaines mois ans années legacy historique avant_toi
  lundi l_an ce_matin
prod: prod production staging préprod ci serveur pipeline réseau vpn github gitlab docker jenkins npm
  navigateur machine pc chrome internet aws
later: plus_tard demain pour_l_instant pour_le_moment semaine_prochaine déjeuner réunion midi manger café
  batterie train appel ce_soir tout_à_l_heure weekend
seem: semble paraît crois pense remarque remarqué vu constate trouve_que on_dirait l_impression vois_que
claim: tu_dis tu_as_dit prétends prétendu soi_disant promis selon_toi tu_affirmes disais_que annonces menti
  inventes tu_m_as_dit
swear: 🤬 😡 putain merde bordel foutre con connerie* zut purée wtf fichu
wow: 🙄 bravo félicitations chapeau super_idée formidable magnifique sérieusement sérieux génial_que
  j_adore_comment évidemment bien_sûr magique lol mdr haha qui_a_besoin champion
hm: hm hmm euh heu bah ben oh ah bof hein
test: test tests suite couverture snapshot
file: fichier fichiers dossier répertoire module chemin
code: code fonction fonctions méthode classe composant endpoint table colonne colonnes requête bouton page
  formulaire champ champs config configuration migration script ligne lignes variable import type écran
really: très complètement totalement absolument du_tout carrément tellement
maybe: peut_être éventuellement et_si je_me_demande curieux curiosité pourrait_on
new: nouveau nouvelle nouveaux nouvelles neuf
first: d_abord premier première premièrement enfin deuxièmement
until: jusqu_à jusqu dès
done: fini terminé prêt
correct: correct correctement vrai
understand: comprends compris sais sens clair idée
issue: problème problèmes souci
task: tâche fonctionnalité projet sujet
report: signalé signalent remonté plaint* plaignent
diff: diff ta_modif tes_modifs ton_code ta_correction ton_fix ta_version ton_commit ta_modification
  tes_modifications tes_changements ta_solution
whence: où_est où_sont c_est_quoi qu_est_ce_que depuis_quand pourquoi_as pourquoi_tu pourquoi_il pourquoi_est
outputs: affiche renvoie retourne j_ai_une obtiens s_affiche apparaît
number: deux trois quatre cinq six sept huit dix douze vingt cent mille zéro
wish: ce_serait_bien serait_bien serait_super serait_cool serait_top à_partir_de dorénavant est_ce_possible
  est_il_possible peut_on on_peut tu_peux_aussi au_passage à_l_avenir tant_que
`;
