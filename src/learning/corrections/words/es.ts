/** See `../meanings.ts` for how it is read. */
export const ES = `
you: tú tu te ti tus has eres puedes podrías deberías habías usted contigo quieres haces hiciste pusiste vos
  dejaste metiste
i: yo me mi mis mí he
we: nosotros nos nuestro* vamos hemos
they: él ellos alguien gente ella otro_equipo
party: proveedor_de quién_escribió diseñadora
  cliente* clientes compañero* jefe jefa equipo usuario* usuarios becario* marketing legal soporte
  diseñador* diseño proveedor* qa contable* ventas negocio auditor*
it: eso esto esta este ese esa lo aquello así
asked: pedí pedido dije dicho quería pedía quise mencioné escribí especifiqué solicité petición requisito*
  encargo indicado indiqué esperaba pedimos acordamos acordado quedamos refería instrucciones hablado
  solicitado te_dije
want: quiero necesito quisiera prefiero gustaría hace_falta necesitamos queremos
did: hecho puesto usado tocado tocaste reemplazado sobrescrito sobreescrito instalado subido commiteado
  ejecutado creado inventado copiado generado cambiaste usaste creaste metido inventaste reescrito
  reescribiste instalaste ejecutaste subiste duplicado duplicaste corriste generaste reformateado
add: añade añadir agrega agregar incluye mete pon
added: añadido agregado añadiste agregaste
remove: borra borrar elimina eliminar quita quitar saca limpia
removed: borrado eliminado quitado borraste eliminaste quitaste cargaste cargado sacaste
change: cambia cambiar modifica actualiza reemplaza usa usar sustituye ajusta pasa utiliza adapta
changed: cambiado modificado cambios modificaste cambio actualizado
make: haz crea crear escribe escribir implementa genera construye prepara traduce refactoriza extrae documenta
  monta redacta diseña
move: mueve renombra mover renombrar
moved: movido renombrado moviste renombraste
omit: olvidado olvidaste olvidas ignorado ignoraste ignoras saltado saltaste omitido omitiste faltó te_faltó
  pasado_por_alto dejado_fuera se_te_olvidó se_te_pasó
fail: error errores falla fallan fallando fallo fallos rompe roto rota rotos peta casca crashea excepción rojo
  cuelga bug bugs no_funciona no_va no_anda revienta truena timeout vacío undefined null 500 404 colgado
  inestable
broke: rompiste has_roto estropeado estropeaste destrozado cargado_el jodido arruinado fastidiado regresión
  corrompido
work: funciona funcionan va pasa_bien pasan verde anda sirve
undo: deshaz deshacer revierte revertir restaura vuelve devuelve recupera revert rollback como_estaba
  como_antes atrás revertido deja_como ponlo_como regresa
stop: detente basta alto parar detén frena corta cancela cancelado interrumpí para_ya para_para para_ahora
  para_de para_ahí alto_ahí
wait: espera espérate momento un_segundo aguanta pausa
keep: deja dejar mantén mantener conserva conservar no_toques sin_tocar intacto respeta
fix: arregla arreglar corrige corregir soluciona repara
fixed: arreglado corregido solucionado
look: mira revisa comprueba lee ver verifica fíjate compara busca investiga revisar encuentra
tell: explica explícame muestra dime enseña describe resume lista cuéntame muéstrame
redo: rehaz repite inténtalo de_cero intenta prueba_otra vuelve_a
ship: commit commitea push sube merge fusiona despliega publica pr rama release mergea
run: ejecuta corre lanza arranca ejecutar
go: sigue continúa adelante procede empieza dale
mind: han_cancelado se_canceló se_ha_cancelado acaba_de_decirme ahora_quiere ahora_quieren verlo_antes verlo_primero ya_no_se_necesita
  cambiado_de_opinión cambié_de_opinión cambio_de_planes pensándolo pensado_mejor lo_he_pensado decidido
  decidimos da_igual olvídalo ya_no_hace_falta ya_no al_final mejor_no
mine: olvidé_decir olvidé_mencionar se_me_olvidó_decir debería_haber_dicho tendría_que_haber yo_misma sin_querer por_error he_borrado_yo no_es_culpa_tuya tecla_equivocada debí_decir
  mi_error mi_culpa culpa_mía fallo_mío error_mío me_equivoqué me_he_equivocado me_confundí
  ventana_equivocada se_me_olvidó olvidé debí_haber yo_mismo me_expliqué
still: todavía aún sigue_fallando siguen sigue_sin sigue_igual
again: otra_vez de_nuevo nuevamente tercera_vez segunda_vez cuántas_veces siempre_igual cada_vez vuelta_a
now: ahora actualmente hoy ya de_repente
next: luego después siguiente próximo próxima a_continuación
also: también además lo_mismo otro otra más igual_para de_paso adicional
only: solo sólo únicamente solamente nada_más
instead: en_vez en_lugar sino más_bien
actually: en_realidad realmente la_verdad de_hecho
already: ya_existe existe existente* ya_tenemos ya_hay teníamos
before: antes anteriormente estaba era estaban funcionaba original
never: nunca jamás nadie
always: siempre cada todas_las_veces
all: todo todos toda todas entero completo
not: nada sin ningún ninguna ninguno ni tampoco no
no: nop nel nanai
why: por_qué porqué para_qué
what: qué
how: cómo
which: cuál dónde cuándo quién cuáles
can: puede se_puede podemos podría
is: es está son hay tiene ha están
should: debe debería debía tenía_que tiene_que hay_que debes había_que deben tendría_que
but: pero salvo excepto aunque sin_embargo menos
if: si
because: porque ya_que puesto_que para_que
please: por_favor porfa porfavor pf
thanks: gracias
good: 👍 👌 🎉 ❤ 🙏 bien genial perfecto perfecta bueno buena estupendo excelente guay mejor bonito fenomenal buen_trabajo
  me_gusta chévere bárbaro contento
ok: ok vale sí de_acuerdo claro okay listo ambas
sorry: perdón perdona lo_siento disculpa lamentablemente desgraciadamente
wrong: mal incorrecto incorrecta equivocado equivocada falso error_tuyo malo tontería* mentira disparate
  absurdo al_revés confundido malentendido feo horrible inútil desastre chapuza erróneo te_equivocas
missing: falta faltan faltaba desaparecido desapareció perdido incompleto mitad a_medias
same: mismo misma igual idéntico iguales mismos
other: otros otras distinto diferente otro_sitio
excess: demasiado demasiada demasiados exagerado complicado largo sobreingeniería ilegible
extra: innecesario* sobra sobran nadie_te nadie_pidió nadie_ha_pedido quién_te por_tu_cuenta sin_preguntar
  sin_permiso de_más fuera_de_alcance nada_que_ver no_viene
hack: parche trampa* ocultar oculta tapar tapas esconde* comentado desactivado desactivaste deshabilitado
  hardcodeado hardcodeaste mockeado mock apaño silenciar saltarse trampeas sleep a_pelo traga*
rule: regla* convención convenciones norma* guía especificación ticket contributing agents_md claude_md
  documentación estándar generado* maqueta diseño_de readme contrato esquema
old: viejo vieja antiguo* ayer desde hace pasada pasado semanas meses años legacy histórico lunes heredado
  esta_mañana
prod: producción prod staging ci servidor pipeline red vpn github gitlab docker jenkins npm navegador máquina
  portátil chrome internet aws
later: más_tarde mañana por_ahora de_momento próxima_semana comer almuerzo reunión café batería tren llamada
  luego_seguimos esta_noche finde
seem: parece creo pienso veo he_visto noto noté vi me_parece da_la_impresión fijado
claim: dices dijiste según_tú prometiste supuestamente afirmas has_dicho decías aseguras mentiste
swear: 🤬 😡 joder mierda coño carajo maldito* puto puta hostia* diablos wtf demonios
wow: 🙄 bravo felicidades enhorabuena qué_bien qué_bonito qué_maravilla maravilloso fantástico en_serio
  obviamente claro_que jaja lol quién_necesita me_encanta_cómo menudo vaya mágicamente
hm: hm hmm eh uy ah oh uf pues mmm
test: test tests prueba pruebas suite cobertura
file: archivo archivos fichero ficheros carpeta directorio módulo ruta
code: código función funciones método clase componente endpoint tabla columna columnas consulta botón página
  formulario campo campos config configuración migración script línea líneas variable import tipo pantalla
really: tan muy completamente totalmente en_absoluto para_nada siquiera bastante
maybe: quizá quizás tal_vez a_lo_mejor y_si qué_tal podríamos curiosidad pregunto
new: nuevo nueva nuevos nuevas
first: primero primera inicialmente segundo por_fin finalmente
until: hasta en_cuanto
done: terminado acabado
correct: correcto correctamente bien_hecho cierto verdad
understand: entiendo entendido entender sé sentido idea
issue: problema problemas
task: tarea funcionalidad proyecto historia
report: reporta* reportado queja* quejan avisan
diff: diff tu_cambio tus_cambios tu_código tu_arreglo tu_versión tu_commit tu_solución tu_corrección
whence: dónde_está dónde_están qué_es_esto qué_ha_pasado desde_cuándo por_qué_has por_qué_hay por_qué_está
  qué_hace qué_pasó
outputs: sale da retorna aparece salen me_da
number: dos tres cuatro cinco seis siete ocho nueve diez doce veinte cien mil cero
wish: estaría_bien estaría_genial sería_genial sería_bueno sería_posible a_partir_de en_adelante se_podría
  es_posible podríamos_tener puedes_también por_cierto
`;
