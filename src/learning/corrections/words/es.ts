/** `meanings.ts` parses it and describes the format. */
export const ES = `
you: tú tu te has puedes podrías deberías contigo pusiste
i: yo me mi mí he
we: nos nuestro* vamos hemos
party: él gente ella proveedor_de quién_escribió cliente* jefe equipo usuario* legal diseñador* diseño proveedor* qa
  contable* negocio auditor*
it: eso esto esta este ese esa lo así
asked: pedí pedido dije dicho quería mencioné esperaba acorda* refería te_dije
did: puesto subido inventa* tocaras toques cambiado cambio
make: añade añadir pon haz escribe escribir
remove: borra borrar quita quitar limpia
removed: borrado eliminado quitado borraste eliminaste quitaste carga* sacaste
change: cambia cambiar pasa adapta
omit: olvidado olvidaste olvidas ignora* saltado saltaste omiti* faltó te_faltó pasado_por_alto dejado_fuera se_te_olvidó
  se_te_pasó
fail: error* falla* roto rotos peta rojo cuelga no_funciona timeout vacío 404
broke: rompiste has_roto estropea* destrozado cargado_el jodido arruinado fastidiado regresión corrompido
work: funciona va pasan verde sirve
undo: deshaz deshacer revierte revert* restaura vuelve devuelve recupera rollback como_estaba como_antes atrás deja_como
  ponlo_como regresa
stop: corta cancela*
keep: deja dejar manten* conserva* no_toques
look: mira revisa* comprueba lee ver
tell: explica* muestra* lista
go: commit push sube despliega pr rama release sigue empieza dale
own: han_cancelado ahora_quiere verlo_antes cambiado_de_opinión lo_he_pensado da_igual ya_no al_final se_me_olvidó_decir
  debería_haber_dicho tendría_que_haber sin_querer he_borrado_yo tecla_equivocada culpa_mía error_mío me_equivoqué
  me_confundí se_me_olvidó olvidé yo_mismo me_expliqué
still: todavía aún sigue_fallando siguen sigue_sin sigue_igual
again: otra_vez de_nuevo nuevamente tercera_vez segunda_vez cuántas_veces siempre_igual cada_vez vuelta_a
now: ahora hoy ya
next: luego después siguiente proxim*
also: también además lo_mismo otro otra más
only: solo sólo nada_más
instead: en_vez en_lugar sino más_bien
already: existe* ya_tenemos
before: antes estaba* era original
not: nunca jamás nadie nada sin ningun* ni tampoco no así_no
all: todo todos toda todas entero
no: nop nel nanai
why: por_qué porqué para_qué dónde_está por_qué_has
what: qué cómo dónde cuándo quién
can: puede se_puede podemos
is: es está son hay tiene ha están
should: debe debería tenía_que tiene_que hay_que había_que tendría_que
but: pero aunque sin_embargo menos
please: por_favor porfa*
thanks: gracias
good: bien genial perfect* bueno buena estupendo excelente mejor fenomenal bárbaro ok vale sí claro
wrong: mal incorrect* equivocad* falso error_tuyo malo tontería* mentira disparate absurdo al_revés confundido malentendido
  feo horrible inútil desastre chapuza erróneo te_equivocas
missing: falta* desapareci* perdido incompleto mitad a_medias
same: mismo* misma igual*
extra: demasiad* exagerado complicado largo sobreingeniería ilegible innecesario* sobra* nadie_te nadie_pidió
  nadie_ha_pedido quién_te por_tu_cuenta sin_preguntar sin_permiso de_más fuera_de_alcance nada_que_ver no_viene
old: viejo vieja antiguo* desde hace pasad* semanas meses legacy histórico lunes esta_mañana
later: mañana por_ahora de_momento reunión llamada
file: archivo* fichero* carpeta módulo
new: nuevo* nueva nuevas
wish: a_partir_de
use: usa usar uses usamos usas utili* uséis
here: aquí
`;
