import type { LanguageWords } from './language-words.ts';

export const ES: LanguageWords = {
  faults: {
    accusing: [
      [
        0.9,
        'quién te (?:ha )?(?:dicho|pidió|dijo|mandó)|(?:no )?sabes leer|(?:lo )?has (?:probado|leído|mirado|ejecutado)(?: siquiera| de verdad)?|acaso|no (?:deberías|tenías que|debías)|qué te (?:dije|he dicho)|te (?:dije|he dicho|pedí|había pedido|he pedido)',
      ],
      [
        0.65,
        '(?:has|as|hiciste|habéis)(?: \\p{L}{1,12}){0,3} (?:puesto|añadido|borrado|eliminado|quitado|cambiado|modificado|renombrado|olvidado|roto|ignorado|inventado|tocado|instalado|subido|hecho|escrito|saltado|confundido|sobrescrito)|(?:borraste|quitaste|cambiaste|rompiste|olvidaste|pusiste|ignoraste|eliminaste|agregaste|renombraste|tocaste|inventaste|hiciste|modificaste)',
      ],
      [
        0.95,
        '(?:has|te has|lo has|los has|la has|me has|acabas de) (?:\\p{L}{1,12} ){0,3}(?:olvidado|roto|ignorado|sobrescrito|entendido mal|inventado|saltado|omitido|cargado|perdido|destrozado|fastidiado|equivocado|liado|pasado por alto)|(?:te )?(?:olvidaste|rompiste|ignoraste|sobrescribiste|inventaste|saltaste|omitiste|equivocaste|cargaste|perdiste|entendiste mal|arruinaste|comiste|confundiste)|te falto',
      ],
      [
        0.9,
        '(?:no|nunca|solo|tampoco|ni siquiera) (?:\\p{L}{1,4} )?(?:has|hiciste|arreglaste|cambiaste|probaste|anadiste|agregaste|actualizaste|corregiste|tocaste|leiste|corriste|ejecutaste|implementaste|respetaste|seguiste|cumpliste)|tenias que|debias|se suponia',
      ],
      [
        0.8,
        '(?:has|lo has|los has|la has|me has|acabas de) (?:\\p{L}{1,12} ){0,3}(?:borrado|eliminado|quitado|hardcodeado|desactivado|comentado|bajado|mockeado|subido|tocado|duplicado|mezclado|confundido|adivinado|borrar|eliminar)|(?:borraste|eliminaste|quitaste|hardcodeaste|desactivaste|comentaste|bajaste|mockeaste|subiste|tocaste|duplicaste|metiste|commiteaste)',
      ],
      [
        0.5,
        '(?:has|lo has|los has|la has) (?:\\p{L}{1,12} ){0,2}(?:cambiado|renombrado|reemplazado|movido|modificado|anadido|agregado|usado|escrito|hecho|puesto|creado)|(?:cambiaste|renombraste|reemplazaste|moviste|modificaste|usaste|pusiste|hiciste|creaste|reescribiste|dejaste)',
      ],
      [
        0.6,
        'por ?que (?:\\p{L}{1,4} )?(?:has|hiciste|cambiaste|borraste|estas|tocaste|usaste|pusiste|moviste|haces|quitaste|metiste|sigues)',
      ],
      [
        0.5,
        'tu (?:cambio|arreglo|codigo|commit|version|solucion|parche|refactor|correccion|ultimo)|tus (?:cambios|arreglos)',
      ],
    ],
    unasked: [
      [
        0.9,
        'no (?:es|era|fue) (?:lo |eso |así |exactamente )?(?:lo )?(?:que|como) (?:yo )?(?:quería|pedí|dije|te|queria|he|había|necesito)|eso no es lo que|(?:yo )?(?:solo|sólo|solamente) (?:quería|pedí|necesitaba|dije)|tenían? que ser|(?:debía|debían|tenía|tenían|había) (?:que )?(?:ser|haber|quedar)|lo que (?:se )?pid(?:ió|ieron|í)|que (?:mencioné|te dije|indiqué|pedí)|nadie (?:te )?(?:ha )?(?:pidió|pedido|dijo)|como (?:te )?(?:pedí|dije|acordamos)|no (?:te )?pedí|no había que|(?:el ticket|la spec|la tarea|el issue) (?:dice|pide|era|decía)|(?:hubiera|habría) (?:preferido|querido|esperado)|esperaba',
      ],
      [0.5, 'nada más|solo \\p{L}{2,14}$|no \\p{L}{2,14}$'],
      [
        0.97,
        '(?:no es|no era|eso no es|esto no es|nada que ver con|no fue|no) (?:exactamente |para nada |justo )?(?:lo|eso lo|el|la|como|asi como|donde) (?:que )?(?:te )?(?:pedi|pedia|queria|dije|quiero|necesito|necesitaba|habia|habiamos|pedimos|pidio|decia)|(?:no|nunca|jamas|nadie) (?:te |lo |os )?(?:lo )?(?:pedi|he pedido|dije|pidio|ha pedido|hablo|mencione)|(?:yo )?no (?:te )?(?:he )?(?:pedido|dicho)',
      ],
      [
        0.8,
        '(?:te )?(?:pedi|dije|habia dicho|habia pedido|he dicho|he pedido|especifique|aclare|indique|habiamos dicho|escribi)|me referia|queria decir|yo queria|lo que (?:queria|pedi|dije|necesito)',
      ],
      [
        0.7,
        '(?:la|el|las) (?:tarea|ticket|especificacion|spec|issue|instrucciones|instruccion|pedido|requisito) (?:era|dice|decia|eran|pide|pedia|dicen)',
      ],
      [
        0.75,
        '(?:asi no|no asi|ese no|esa no|eso no|ahi no|no ese|no esa|no en ese|no en esa|en ese no|no ahi)(?: es| era)?',
      ],
    ],
    wrong: [
      [
        0.8,
        'se cuelga|se bloquea|se queda (?:esperando|colgado)|falta(?:n)?|la mitad|no me expliqué|no el \\p{L}{3,14} entero|señalado|no es la idea',
      ],
      [
        0.8,
        'no (?:funciona|compila|pasa|arregla|sirve|va|soluciona|cuadra|coincide|es cierto|es verdad|está bien|aparece|encuentra|hace nada|carga|vale|corresponde|es correcto|es (?:una?|la) (?:solución|arreglo|razón))|está(?:n)? (?:mal|roto|rota|todas|todos|vacío|al revés|incorrecto)|esto (?:exporta|hace|borra|rompe) todo|eso no es|ha(?:n)? desaparecido|se (?:ha )?(?:perdido|perdió|rompió|ha roto|han perdido)|tapa el|solo tapa|falta(?:n)?|da (?:un )?(?:error|404|500)|salen todas|peor',
      ],
      [0.5, 'desgraciadamente|lamentablemente|en (?:lugar|vez) de|ya no|error|inútil|demasiado|sobra|mal'],
      [
        0.95,
        '(?:esta|estan|es|son|sigue|siguen|quedo|todo|completamente|totalmente) (?:\\p{L}{1,12} ){0,2}(?:mal|incorrecto|incorrecta|equivocado|equivocada|erroneo|roto|rota|rotos|rotas|al reves|un desastre)|no es correcto|no esta bien|eso no (?:es|va|esta)|no (?:es|era) (?:ese|esa|asi|eso|el|la) (?:correcto|correcta|archivo|sitio)?|esta mal|no cuadra',
      ],
      [
        0.9,
        '(?:archivo|fichero|sitio|lugar|rama|funcion|orden|tabla|carpeta|columna|metodo|clase|test|direccion|ruta|version|nombre|componente|campo|entorno) (?:equivocado|equivocada|incorrecto|incorrecta|que no es|que no era)|te (?:has )?equivoca\\p{L}{1,4} de',
      ],
      [0.5, 'mal|incorrecto|incorrecta|equivocado|equivocada'],
      [
        0.75,
        '(?:no|ya no|tampoco|ni) (?:\\p{L}{1,4} )?(?:funciona|funcionan|compila|compilan|pasa|pasan|arranca|sirve|anda|va|corre|arregla|soluciona|existe|carga|renderiza|ayuda|basta)',
      ],
      [
        0.7,
        '(?:ahora|desde entonces|por eso) (?:\\p{L}{1,14} ){0,5}(?:falla|fallan|rompe|roto|rota|error|errores|rojo|desaparecido|falta|peor|no funciona|no compila|revienta|peta)',
      ],
      [0.65, '(?:casi|no del todo|a medias|incompleto|incompleta|la mitad|solo la mitad)(?: pero)?'],
      [0.35, 'falta|faltan|duplicado|repetido'],
    ],
    again: [
      [
        0.9,
        'sigue(?:n)? (?:sin|fallando|en|igual|roto|mal|saliendo|dando|\\p{L}{3,12}ndo)|otra vez (?:lo|el|la|mal|igual)|todavía (?:no|falla|está|sale)|aún (?:no|falla)|mír(?:alo|a) (?:otra vez|bien|mejor)|(?:segunda|tercera|enésima|última) vez|cuántas veces|como (?:ya )?(?:te )?dije|vuelve a (?:leer|mirar|revisar)|lo mismo de antes|de nuevo',
      ],
      [
        0.95,
        '(?:sigue|siguen|todavia|aun) (?:\\p{L}{1,10} ){0,3}(?:fallando|falla|fallan|roto|rota|mal|sin|no|igual|rojo|en rojo|el mismo|la misma|dando|saliendo|apareciendo|ahi|vacio)|sigue (?:sin|igual|fallando|roto|dando|saliendo|mal)',
      ],
      [
        0.95,
        '(?:segunda|tercera|cuarta|quinta|ultima|enesima) vez|cuantas veces|como (?:ya )?(?:te )?(?:dije|he dicho|pedi|mencione)|te (?:lo )?repito|repito|ya te (?:lo )?(?:dije|he dicho|pedi)|ya (?:lo )?habia dicho|vuelve a leer|lee (?:\\p{L}{1,10} ){0,3}(?:otra vez|bien|de nuevo)|otra vez (?:lo mismo|igual|con)',
      ],
      [0.6, '(?:mismo|misma) (?:error|problema|fallo|bug|resultado|cosa)'],
      [0.4, 'otra vez|de nuevo|nuevamente'],
    ],
    undo: [
      [
        0.8,
        'vuelve a (?:poner|dejar)(?:lo|los|la|las)?|deshaz(?:lo)?|revierte(?:lo)?|quít(?:alo|ala|alos|a eso)|devuélve(?:lo|los|la|las|melo)|restaura|recupera|deja (?:el|la|los|las|eso) (?:\\p{L}{2,14})(?: \\p{L}{2,14})?|déjalo (?:como|en|solo)|como (?:estaba|antes|era)|no toques|pon(?:lo|los)? (?:de vuelta|como)|así no|conserva|mantén',
      ],
      [
        0.75,
        '(?:deshaz|deshacer|deshazlo|revierte|revertir|reviertelo|revertelo|vuelve atras|vuelve a (?:ponerlo|dejarlo|poner|dejar)|devuelve|devuelvelo|restaura|restauralo|rollback|revert|regresa|regresalo|recupera|echa atras|da marcha atras|dejalo como estaba|ponlo como estaba)(?: \\p{L}{1,14}){0,3}|como estaba(?: antes)?',
      ],
      [0.5, '(?:quita|quitalo|elimina|eliminalo|borra|borralo|saca|sacalo) (?:eso|esto|lo|ese|esa)?'],
    ],
    should: [
      [
        0.6,
        '(?:deberia|deberias|deberian|tendria|tenia|tenias|tendrias|debia|debian|no debia|no deberia|no tenia) (?:\\p{L}{1,10} ){0,3}(?:haber|que|ser|estar|seguir|quedar|tocar|cambiar)|habia que|se suponia',
      ],
      [0.45, '(?:tiene|debe|tienen|deben) (?:que )?(?:ser|estar|ir|devolver|quedar|seguir)'],
      [0.35, 'en (?:vez|lugar) de|sino'],
    ],
    stop: [
      [0.75, 'deja de|para (?:ya|de)|basta|no no|detente|no toques|no lo toques|ni se te ocurra|quieto'],
      [
        0.5,
        '^(?:para|alto|espera|espere|stop|no(?! (?:hay|hace|te preocupes|importa|se|tengo|pasa|problem\\p{L}{1,2}|urge|corre|es urgente))|nop|oye|pero que|uf|ey|eh|a ver|venga ya|en serio|joder|madre mia|por favor no)(?![\\p{L}])',
      ],
      [
        0.6,
        '(?:deja|dejalo|dejad) (?:\\p{L}{1,14} ){1,4}(?:en paz|como|tal cual|asi|quieto)|no (?:toques|cambies|modifiques|edites|borres|elimines|subas|commitees|hagas|mockees|uses|metas|bajes|desactives)',
      ],
    ],
    rule: [
      [
        0.75,
        '(?:estaba|estaban|está|están) (?:ahí |así )?(?:por algo|por un motivo|por una razón|a propósito)|a propósito|lo (?:usa|necesita|utiliza)|(?:se usa|se genera|es generado|generado|se utiliza)|ya (?:tenemos|hay|existe)|(?:nunca|no|siempre) (?:usamos|hacemos|tocamos|subimos|mockeamos|ponemos)|no (?:lo )?podemos|no se (?:puede|debe|toca)|aquí no|nuestras? (?:normas?|reglas?|convención|convenciones)|a mano',
      ],
      [
        0.7,
        '(?:es|son|esta|archivo|fichero|codigo|se) (?:\\p{L}{1,12} ){0,3}(?:generado|generada|generados|autogenerado|auto generado|genera solo|solo lectura|congelado|intocable|publica)|a mano',
      ],
      [
        0.65,
        '(?:nosotros|aqui|en este (?:proyecto|repo)) (?:\\p{L}{1,10} ){0,2}(?:no|nunca|siempre|usamos|solo)|(?:nunca|siempre|no) (?:usamos|hacemos|editamos|ponemos|mockeamos|commiteamos)|nuestr[ao]s? (?:convencion|convenciones|regla|reglas|estilo|norma|normas)',
      ],
      [
        0.5,
        '(?:lo )?(?:dice|pone|esta|estaba) (?:\\p{L}{1,10} )?(?:en el|en la|claramente|bien claro) (?:readme|agents|claude|doc|docs|guia|ticket|spec)?|(?:lee|mira|sigue|revisa) (?:el |la )?(?:readme|agents|claude|doc|guia|ticket|spec|reglas)',
      ],
    ],
    claim: [
      [
        0.66,
        '(?:dijiste|dices|decias|has dicho|afirmaste|afirmas|aseguraste|aseguras|segun tu|supuestamente|mentira|mentiste|no es verdad|no es cierto|eso no existe|no existe)',
      ],
      [
        0.6,
        '(?:estas|seguro|segura|en serio)(?: seguro| segura)? \\?|en serio|donde (?:esta|estan|quedo|quedaron)|no veo (?:nada|ningun|ninguna|el|la|los)|no (?:ha )?cambi\\p{L}{1,3} nada|nada (?:ha )?cambi\\p{L}{1,3}',
      ],
    ],
    polite: [
      [
        0.7,
        'podrías (?:\\p{L}{1,10} )?(?:limitarlo|limitar|volver|dejar|dejarlo|deshacer|quitar|revertir|revisar|restaurar|mantener|conservar|poner)|me gustaría (?:conservar|mantener|que|dejar)|preferiría|hubiera preferido|por desgracia|lamentablemente|me temo|ahora mismo (?:salen|sale|está|hace)|un (?:pequeño )?(?:detalle|problema)|creo que (?:hay|te|has|no|esto|falta)|no del todo|perdona',
      ],
    ],
    sarcasm: [
      [
        0.8,
        'genial|qué (?:maravilla|bien|bonito|detalle|generoso|listo|sorpresa|gracioso)|justo lo que (?:entiendo|quería|necesitaba|pedí)|quién (?:necesita|quiere)|enhorabuena|felicidades|bravo|ya lo llamamos|fantástico|estupendo|me encanta|ah (?:claro|sí|genial|vale)|muy gracioso|gracias por (?:nada|borrar|romper)|menos mal',
      ],
      [
        0.8,
        '(?:genial|perfecto|gracias|bravo|estupendo|maravilloso|buen trabajo|felicidades|enhorabuena|que bien|fantastico|excelente|magnifico|bien hecho)(?: \\p{L}{1,14}){0,6} (?:borrado|borraste|borrar|romper|roto|rompiste|nada|falla|fallan|rojo|mal|perdido|ignorar|ignoraste|vacio|ya no|salvo|excepto|por nada)',
      ],
      [
        0.7,
        'ah (?:genial|perfecto|estupendo|claro|que bien|bueno)|que gracioso|muy gracioso|justo lo que (?:queria|necesitaba|me faltaba)|me encanta (?:como|que)|quien necesita|vaya (?:arreglo|joya|genio)|menos mal',
      ],
    ],
  },
  bare: '(?:no|mal|no no|para|alto|stop|asi no|eso no|deshaz|deshazlo|deshaz eso|revierte|revierte eso|revertelo|sigue roto|sigue igual|sigue fallando|no funciona|otra vez|en serio|por que|esta mal|no es eso|incorrecto|equivocado|no asi|nop|falso|basta|vuelve atras|no va)',
  own: 'mucho mejor|aún mejor|(?:se me )?olvid(?:ó|é) decir|yo mismo|he (?:borrado|roto) yo|quiero (?:mirarlo|verlo|revisarlo) (?:primero|antes)|todavía\\.?$|commit todavía|culpa mía|mi (?:culpa|error|fallo)|estaba en la \\p{L}{2,8} (?:equivocada|incorrecta)|debería haber|cambiado de (?:idea|opinión)|necesito (?:el|la|los)|hoy no|perdona debería|ventana equivocada|al final|contabilidad quiere|el cliente (?:quiere|ha cambiado)|hemos decidido|olvida (?:lo|eso)|cambio de planes?|nuevo plan|ha cambiado|han cambiado|cometi un error|era (?:solo )?una prueba|solo estaba probando|ahora (?:quiero|prefiero|necesito|queremos|preferimos|me gustaria)|se que (?:dije|pedi)|(?:dije|pedi) (?:\\p{L}{1,14} ){1,8}pero (?:ahora|mejor)|cambi\\p{L}{1,3} de (?:opinion|idea)|he cambiado de|mejor pensado|pensandolo (?:bien|mejor)|lo he pensado|(?:mi|fue mi|es mi) (?:error|culpa|fallo|despiste)|culpa mia|error mio|fallo mio|me (?:he )?(?:equivoque|equivocado|confundi|confundido|explique mal|explicado mal|lie|expresse mal)|(?:yo )?(?:olvide|me olvide|se me (?:olvido|paso)|debi|deberia haber|tenia que haber) (?:\\p{L}{1,8} )?(?:decir\\p{L}{0,4}|mencionar\\p{L}{0,2}|avisar\\p{L}{0,2})?|perdon (?:yo|me|te)|(?:cliente|clienta|jefe|jefa|producto|diseno|marketing|legal|po|equipo|direccion|negocio) (?:\\p{L}{1,10} )?(?:quiere|quieren|ha|han|prefiere|pide|piden|decidio|pidio|acaba|dice)|(?:hemos )?decidi(?:mos|do)|(?:prefiero|preferimos|preferiria)|al final|los requisitos|ya no (?:hace falta|lo necesit\\p{L}{1,5}|es necesario|necesit\\p{L}{1,5}|la necesit\\p{L}{1,5})|proxim[ao] (?:semana|sprint|mes)|manana|mas tarde|luego seguimos|reunion|almuerzo|comer|tengo que (?:irme|salir|reiniciar|coger)|me voy|bateria|portatil|tren|pausa|olvidalo|da igual|por hoy|tenias razon|tienes razon|presupuesto|congelad',
  others:
    '(?:este|el|al|del|mi|los) (?:cliente|jefe|proveedor)s?|quiere otra vez|el año pasado|vpn|(?:el )?equipo de|quién (?:escribió|hizo|ha escrito)|(?:código|módulo|sistema|script) (?:viejo|antiguo)|antigu[oa]|viej[oa]|reunión|contexto|es de 20\\p{N}{2}|desde (?:hace|siempre|ayer|el lunes|la)|lleva (?:semanas|meses|años|días)|nadie (?:la|lo) entiende|(?:este|esta) (?:maldit[oa]|dichos[oa]|puñeter[oa])|jenkins|los (?:clientes|usuarios) (?:se quejan|dicen|reportan|informan)|nada que ver|proveedor|becario|compañero|colegas?|companer\\p{L}{1,3}|alguien mas|otra persona|(?:codigo|modulo|version|implementacion|sistema|script|tests?|solucion) (?:viej[ao]s?|antigu[ao]s?|legacy|heredad[ao]s?|existentes?|anterior(?:es)?|original)|legacy|antes de (?:ti|que|tus|tu|empezar)|ya (?:estaba|fallaba|estaban|venia|fallaban)|no es (?:culpa tuya|tu culpa|cosa tuya)|usuarios? (?:\\p{L}{1,10} )?(?:reportan|reporta|se quejan|dicen|informan|ven|comentan)|clientes? (?:\\p{L}{1,10} )?(?:reportan|reporta|se quejan|se queja|informan)|en prod|en produccion|en (?:main|master)|(?:semana|mes|ano|version|release) (?:pasad[ao]|anterior)|ayer|becario|proveedor|contratista|upstream|(?:aws|github|npm|stripe|la api|servidor|el ci) (?:esta|estaba|ha|devuelve|responde|se cayo)|desde hace|(?:el|ella|ellos) (?:olvido|rompio|dejo|subio|escribio)',
  praise:
    '(?:gracias|genial|perfecto|muy bien|bien|excelente|estupendo|buen trabajo|vale|ok|okay|si|claro|exacto|correcto|listo|funciona|de acuerdo|fantastico|todo bien|me gusta|buenisimo|dale)(?![\\p{L}])',
  further:
    '(?:ahora|luego|tambien|despues|anade|agrega|crea|escribe|implementa|puedes (?:tambien|anadir|agregar|explicar\\p{L}{0,2}|mostrar\\p{L}{0,2})|podrias|como|que|cual|donde|quien|cuando|explica|explicame|muestra|y (?:tambien|ademas)|ademas|continua|sigue con|adelante)(?![\\p{L}])',
  content:
    'perfecto|muy bien|bien|gracias|vale|genial gracias|funciona(?! en)|ok|listo|contenta?|excelente|de acuerdo|estupendo gracias|está (?:muy )?bien|commit|correcto',
  wish: '(?:^|también |ahora |y |luego |además )(?:añade|añádelo|agrega|crea|escribe|implementa|haz|traduce|documenta|pon|genera|añadir|documentar)(?= |$)|lo mismo (?:en|con|para)|también|además|ahora (?:la|el|haz|añade)|siguiente|después|al final|otra (?:cosa|más)|no corre prisa|mira ese',
  asks: '^(?:y |ok |vale |bien |gracias )?(?:para qué|qué|cómo|cuáles?|cuándo|dónde|por qué(?! has)|se|hay|cuántos?)(?= )|explicar|explica|lo puedes mirar|desde siempre|nada que ver|hay más',
};
