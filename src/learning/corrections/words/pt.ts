import type { LanguageWords } from './language-words.ts';

export const PT: LanguageWords = {
  faults: {
    accusing: [
      [
        0.9,
        'quem (?:te )?(?:mandou|disse|pediu)|(?:você |vc )?(?:não )?sabe ler|você (?:nem|realmente|ao menos|chegou a) (?:\\p{L}{1,10})|você não (?:devia|deveria|podia|pode|leu|testou|fez|era)|o que (?:eu )?(?:disse|falei|pedi)|eu (?:já )?(?:disse|falei|pedi|tinha)',
      ],
      [
        0.65,
        '(?:você|vc|tu)(?: \\p{L}{1,10}){0,3} (?:colocou|adicionou|apagou|removeu|tirou|mudou|alterou|renomeou|esqueceu|quebrou|ignorou|inventou|mexeu|instalou|subiu|fez|escreveu|pulou|confundiu|sobrescreveu|deletou|trocou)',
      ],
      [
        0.95,
        '(?:voce|vc|ce|tu|acabou de) (?:\\p{L}{1,6} )?(?:esqueceu|esqueceste|quebrou|quebraste|ignorou|ignoraste|sobrescreveu|entendeu (?:\\p{L}{1,6} )?(?:errado|mal)|inventou|pulou|omitiu|perdeu|estragou|errou|confundiu|partiste|partiu|deixou (?:de|passar|de fora))(?: \\p{L}{1,10})?',
      ],
      [
        0.9,
        '(?:voce|vc|tu) (?:nao|nunca|so|tambem nao|ainda nao|nem) (?!precisa|deve|pode|tem|vai|quer)\\p{L}{3,16}(?:ou|eu|iu|ste)(?![\\p{L}])|nao (?:\\p{L}{1,4} )?(?:corrigiu|consertou|arrumou|mudou|testou|rodou|atualizou|adicionou|implementou|leu|seguiu|respeitou|fizeste|corrigiste)|era (?:para|pra) (?:voce|vc|ter)|voce deveria|devias ter',
      ],
      [
        0.8,
        '(?:voce|vc|tu) (?:\\p{L}{1,6} )?(?:apagou|apagaste|deletou|removeu|removeste|tirou|tiraste|hardcodou|desativou|desabilitou|comentou|baixou|mockou|commitou|subiu|mexeu|mexeste|duplicou|misturou|chutou|cravou)',
      ],
      [
        0.5,
        '(?:voce|vc|tu) (?:\\p{L}{1,6} )?(?:mudou|mudaste|renomeou|substituiu|trocou|moveu|alterou|adicionou|usou|escreveu|fez|fizeste|colocou|criou|reescreveu|puseste|botou)',
      ],
      [
        0.6,
        '(?:por ?que|porque|pq) (?:\\p{L}{1,4} )?(?:voce|vc|tu|mexeu|mudou|apagou|removeu|trocou|esta|ta|diabos|raios|e que)',
      ],
      [
        0.5,
        '(?:sua|tua|seu|teu|suas|seus) (?:mudanca|mudancas|alteracao|alteracoes|correcao|codigo|commit|versao|solucao|patch|refatoracao|ultima)',
      ],
    ],
    unasked: [
      [
        0.9,
        'não (?:é|era|foi) (?:bem )?(?:isso|o|assim|exatamente|como)(?: o)?(?: que)?(?: eu)?|(?:eu )?(?:só|apenas|somente) (?:queria|pedi|precisava|falei|disse)|eu queria|eram? (?:só|apenas|para|pra)|(?:o )?pedido era|que (?:eu )?(?:mencionei|pedi|falei|indiquei|disse)|ninguém (?:te )?(?:pediu|mandou)|como (?:eu )?(?:pedi|disse|combinamos|combinado)|não (?:te )?pedi|não era (?:pra|para)|(?:o ticket|a spec|a tarefa|a issue) (?:diz|pede|era|dizia)|(?:eu )?(?:preferia|esperava|gostaria que)|(?:deveria|deveriam|devia) (?:ser|ter|estar|ficar)',
      ],
      [0.5, 'só isso|só \\p{L}{2,14}$|não \\p{L}{2,14}$'],
      [
        0.97,
        '(?:nao e|nao era|isso nao e|isto nao e|nada a ver com|nao foi|nao) (?:exatamente |bem |nada )?(?:o|isso|aquilo|como|isto|onde|assim) (?:o )?(?:que )?(?:eu |a gente )?(?:pedi|queria|disse|falei|quero|preciso|precisava|tinha|pedimos|quis)|(?:nao|nunca|ninguem) (?:te |lhe )?(?:pedi|pediu|disse|falei|mandei|mandou)|eu nao (?:te )?pedi',
      ],
      [
        0.8,
        '(?:eu )?(?:pedi|falei|disse|tinha dito|tinha pedido|tinha falado|especifiquei|avisei|escrevi)|eu queria|eu quis dizer|me referia|o que (?:eu )?(?:queria|pedi|disse|preciso)',
      ],
      [
        0.7,
        '(?:a|o|as) (?:tarefa|ticket|especificacao|spec|issue|instrucoes|instrucao|pedido|requisito) (?:era|diz|dizia|eram|pede|pedia|dizem)',
      ],
      [
        0.75,
        '(?:assim nao|nao assim|esse nao|essa nao|isso nao|ai nao|nao ai|nao nesse|nao nessa|nao e esse|nao e essa|nao e assim)',
      ],
    ],
    wrong: [
      [
        0.8,
        'trava|travou|fica esperando|falta(?:m)?|metade|não tenha me explicado|não o \\p{L}{3,14} inteiro|apontado|não é essa a ideia',
      ],
      [
        0.8,
        'não (?:funciona|compila|passa|corrige|serve|resolve|bate|está certo|está correto|é verdade|aparece|encontra|faz nada|carrega|adianta|roda|corresponde|é (?:correção|solução|uma?))|está(?:o)? (?:errado|errada|quebrado|todas|vazio|ao contrário|incorreto)|tá errado|isso (?:exporta|apaga|quebra) tudo|sumiu|sumiram|desapareceu|se perdeu|perdeu|esconde o|só esconde|falta(?:m)?|dá (?:erro|404|500)|saem todas|aí estão|pior',
      ],
      [0.5, 'infelizmente|em vez de|ao invés|não .{0,20}mais|erro|inútil|demais|errad[oa]'],
      [
        0.95,
        '(?:esta|ta|estao|e|ficou|continua|tudo|completamente|totalmente) (?:\\p{L}{1,12} ){0,2}(?:errado|errada|errados|incorreto|incorreta|quebrado|quebrada|quebrados|ao contrario|invertido|uma bagunca|partido|mal)|nao (?:esta|ta) (?:certo|correto|bom|bem)|nao e (?:isso|esse|essa|assim|verdade)|isso nao (?:e|esta|ta|vai)',
      ],
      [
        0.9,
        '(?:arquivo|ficheiro|lugar|sitio|branch|funcao|ordem|tabela|pasta|coluna|metodo|classe|teste|direcao|caminho|versao|nome|componente|campo|ambiente) (?:errado|errada|que nao)|no (?:lugar|arquivo) errado',
      ],
      [0.55, 'errado|errada|incorreto|incorreta'],
      [
        0.75,
        '(?:nao|ja nao|nem) (?:\\p{L}{1,4} )?(?:funciona|funcionou|compila|passa|passam|roda|sobe|inicia|adianta|adiantou|resolve|resolveu|existe|carrega|ajuda|basta|corrige)',
      ],
      [
        0.7,
        '(?:agora|desde entao|por isso) (?:\\p{L}{1,14} ){0,5}(?:falha|falham|quebra|quebrou|quebrado|erro|erros|vermelho|sumiu|falta|pior|nao funciona|nao compila|crasha)',
      ],
      [0.65, '(?:quase|nao exatamente|pela metade|incompleto|incompleta|so metade)(?: mas)?'],
      [0.35, 'falta|faltam|faltou|duplicado|repetido'],
    ],
    again: [
      [
        0.9,
        'continua(?:m)? (?:\\p{L}{3,14}ndo|sem|igual|quebrado|vermelho|errado|dando)|ainda (?:não|está|falha|dá|tá|aparece)|de novo (?:o|a|isso)|olhe? de novo|olha (?:de novo|direito)|(?:segunda|terceira|enésima|última) vez|quantas vezes|como (?:eu )?já disse|leia? (?:de novo|direito)|mesmo (?:erro|problema)',
      ],
      [
        0.95,
        '(?:continua|continuam|ainda) (?:\\p{L}{1,10} ){0,3}(?:falhando|falha|falham|a falhar|quebrado|quebrada|errado|sem|nao|igual|vermelho|o mesmo|a mesma|dando|aparecendo|la|vazio|com erro)|ainda nao|continua (?:sem|igual|falhando|dando|na mesma|a)',
      ],
      [
        0.95,
        '(?:segunda|terceira|quarta|quinta|ultima|enesima) vez|quantas vezes|como (?:eu )?(?:ja )?(?:disse|falei|pedi)|ja (?:te )?(?:disse|falei|pedi)|repito|vou repetir|de novo (?:a mesma|o mesmo)|le (?:\\p{L}{1,10} ){0,3}(?:de novo|direito|outra vez|novamente)|leia (?:\\p{L}{1,10} ){0,3}(?:de novo|direito|novamente)',
      ],
      [0.6, '(?:mesmo|mesma) (?:erro|problema|falha|bug|resultado|coisa)'],
      [0.4, 'de novo|outra vez|novamente'],
    ],
    undo: [
      [
        0.8,
        '(?:coloque|coloca|põe|ponha|bota|traga|traz) (?:\\p{L}{1,10} ){0,3}de volta|desfaz(?:er)?|desfaça|reverte|reverta|tira isso|tire isso|devolver|devolva|restaur(?:a|e)|deixa (?:o|a|os|as) \\p{L}{2,14}|mant[ée]m|mantenha|como (?:estava|antes|era)|não (?:mexa|mexe|toque)|volta(?:r)? (?:atrás|como|ao|para)|assim não|manter (?:os|as|o|a)',
      ],
      [
        0.75,
        '(?:desfaz|desfaca|desfazer|desfaz isso|reverte|reverta|reverter|volta atras|volta (?:como|ao|isso|para|pra|tudo|o|a)|volte|devolve|devolva|restaura|restaure|rollback|revert|recupera|poe de volta|coloca de volta|bota de volta)(?: \\p{L}{1,14}){0,3}|como (?:estava|era)(?: antes)?',
      ],
      [0.5, '(?:tira|tire|remove|remova|apaga|apague) (?:isso|isto|esse|essa|o que)'],
    ],
    should: [
      [
        0.6,
        '(?:deveria|deveriam|devia|deviam|tinha|teria|era|eram) (?:\\p{L}{1,10} ){0,3}(?:ter|ser|estar|que|pra|para|ficar|continuar|mexer|mudar)|nao (?:era|devia|deveria|podia|pode)',
      ],
      [0.45, '(?:tem|deve|devem|precisa) (?:que |de )?(?:ser|estar|ficar|ir|retornar|continuar)'],
      [0.35, 'em vez de|ao inves de|no lugar de|e sim'],
    ],
    stop: [
      [0.75, 'para (?:com|de|ja|agora)|pare|chega|nao nao|nao mexe|nao mexa|nem pense|larga isso'],
      [
        0.5,
        '^(?:para|pera|perai|espera|espere|calma|stop|nao(?! (?:ha|tem|precisa|se preocup\\p{L}{1,3}|importa|sei|tenho|faz mal|tem pressa|e urgente))|nop|opa|epa|ei|eita|poxa|puts|serio|caramba|pelo amor)(?![\\p{L}])',
      ],
      [
        0.6,
        '(?:deixa|deixe) (?:\\p{L}{1,14} ){1,4}(?:em paz|como|quieto|do jeito|intacto)|nao (?:mexa|mexe|mude|muda|altere|edite|apague|commita|commite|mocke|use|toque|toca|faca|remova)',
      ],
    ],
    rule: [
      [
        0.75,
        '(?:estava|estavam|está|estão) (?:lá |ali |aí )?(?:por|de propósito)(?: um)?(?: motivo)?|de propósito|(?:é|são|foi) (?:usado|usada|usados|gerado|gerados|necessário)|precisa (?:dele|dela|disso)|já (?:temos|existe|tem)|(?:nunca|não|sempre) (?:usamos|fazemos|mexemos|commitamos|colocamos)|a gente (?:não|nunca|sempre|já)|não (?:se )?pode|nossas? (?:regras?|convenção|convenções)|na mão|à mão',
      ],
      [
        0.7,
        '(?:e|sao|arquivo|ficheiro|codigo) (?:\\p{L}{1,12} ){0,3}(?:gerado|gerada|gerados|autogerado|so leitura|somente leitura|congelado|intocavel|publica)|(?:na|a) mao',
      ],
      [
        0.65,
        '(?:a gente|nos|aqui|neste projeto|nesse projeto) (?:\\p{L}{1,10} ){0,2}(?:nao|nunca|sempre|so|usa|usamos)|(?:nunca|sempre|nao) (?:usamos|fazemos|editamos|mockamos|commitamos)|noss[ao]s? (?:convencao|convencoes|regra|regras|estilo|padrao|padroes)',
      ],
      [
        0.5,
        '(?:ta|esta|estava|diz) (?:\\p{L}{1,10} )?(?:escrito|no readme|no agents|no claude|na doc|no ticket|na spec|bem claro)|(?:le|leia|olha|segue|siga|veja) (?:o |a )?(?:readme|agents|claude|doc|guia|ticket|spec|regras)',
      ],
    ],
    claim: [
      [
        0.66,
        '(?:voce|vc|tu) (?:\\p{L}{1,6} )?(?:disse|disseste|falou|diz|afirmou|garantiu|jurou|prometeu)|supostamente|mentira|mentiu|nao e verdade|isso nao existe|nao existe',
      ],
      [
        0.6,
        'tem certeza|serio mesmo|serio \\?|cade|onde (?:esta|estao|foi|foram|ficou)|nao (?:vejo|vi|encontro|achei) (?:nada|nenhum|nenhuma|o|a)|nada mudou|nao mudou nada',
      ],
    ],
    polite: [
      [
        0.7,
        '(?:você )?poderia (?:\\p{L}{1,10} )?(?:limitar|voltar|deixar|desfazer|tirar|reverter|revisar|restaurar|manter|colocar de volta|conferir)|gostaria de manter|eu preferia|infelizmente|receio|no momento (?:saem|sai|está)|um (?:pequeno )?(?:detalhe|problema|erro)|acho que (?:você|há|tem|não|isso|falta)|não (?:exatamente|totalmente)|desculpe?',
      ],
    ],
    sarcasm: [
      [
        0.8,
        'que (?:ótimo|maravilha|legal|beleza|generoso|surpresa|lindo|bom que)|exatamente o que eu (?:chamo|queria|pedi)|quem precisa|parabéns|já dá (?:pra|para) chamar|fantástico|adorei|ah (?:claro|sim|ótimo)|muito engraçado|obrigado por (?:nada|apagar|quebrar)|ainda bem|brilhante|genial|bravo',
      ],
      [
        0.8,
        '(?:otimo|perfeito|obrigado|obrigada|parabens|maravilha|valeu|que bom|que legal|legal|excelente|bom trabalho|show|fantastico)(?: \\p{L}{1,14}){0,6} (?:apagou|apagar|quebrou|quebrar|nada|falha|falham|vermelho|errado|sumiu|perdeu|ignorou|ignorar|vazio|so que|menos|por nada)',
      ],
      [
        0.7,
        'ah (?:otimo|perfeito|claro|que bom|legal|sim)|que engracado|muito engracado|era so o que faltava|justo o que|adorei (?:como|que)|adoro (?:como|quando)|quem precisa|que beleza|genio',
      ],
    ],
  },
  bare: '(?:nao|errado|nao nao|para|pare|stop|assim nao|isso nao|desfaz|desfaz isso|desfaca|reverte|reverte isso|continua quebrado|continua igual|ainda nao|nao funciona|nao funcionou|de novo|serio|por que|ta errado|esta errado|nao e isso|incorreto|nao assim|nop|chega|volta|nada disso)',
  own: 'muito melhor|ainda melhor|esqueci de (?:dizer|falar)|eu mesmo|quero (?:olhar|ver|revisar) (?:antes|primeiro)|commit ainda|erro meu|culpa minha|meu erro|minha culpa|eu estava na \\p{L}{2,8} errada|eu devia ter|deveria ter|mudei de ideia|preciso d[ao]|hoje não|desculpe eu|janela errada|no fim|contabilidade quer|o cliente (?:quer|mudou)|decidimos|esquece(?:r)? (?:o que|isso)|mudanca de planos?|novo plano|mudou|mudaram|cometi um erro|era (?:so )?(?:um )?teste|eu tinha (?:\\p{L}{1,8} )?errado|agora (?:eu |a gente )?(?:quero|prefiro|preciso|queremos|quer|gostaria)|sei que (?:eu )?(?:pedi|disse|falei)|(?:pedi|disse|falei) (?:\\p{L}{1,14} ){1,8}mas agora|mud(?:ei|amos) de ideia|pensando (?:bem|melhor)|repensei|(?:meu|foi meu|minha|foi minha) (?:erro|culpa|falha|engano|descuido)|(?:erro|culpa|falha) minha|eu (?:que )?(?:errei|me enganei|me confundi|esqueci|confundi|me expressei mal|devia ter (?:dito|falado|avisado)|deveria ter (?:dito|falado|avisado))|me (?:enganei|confundi|expliquei mal|expressei mal)|esqueci (?:de )?(?:dizer|falar|avisar|mencionar)|desculpa (?:eu|me)|(?:cliente|chefe|produto|design|marketing|juridico|po|time|equipe|diretoria|negocio) (?:\\p{L}{1,10} )?(?:quer|querem|decidiu|pediu|prefere|mudou|acabou|disse)|(?:a gente |nos )?decidi(?:mos|u)|prefiro|preferimos|preferia|no fim das contas|afinal|os requisitos|nao (?:precisa|precisamos|e necessario|preciso) mais|ja nao (?:preciso|precisamos|e preciso)|(?:semana|sprint|mes) que vem|proxim[ao] (?:semana|sprint|mes)|amanha|mais tarde|depois continu\\p{L}{1,5}|reuniao|almoco|almocar|jantar|tenho (?:que|de) (?:sair|ir|reiniciar)|vou sair|bateria|notebook|portatil|trem|comboio|pausa|deixa (?:pra la|para la)|esquece|por hoje|voce (?:tinha|tem|estava) razao|tinhas razao|orcamento',
  others:
    '(?:esse|o|ao|do|meu|os) (?:cliente|chefe|fornecedor)s?|quer xml|ano passado|vpn|(?:o )?time de|equipe de|quem (?:escreveu|fez)|(?:código|módulo|sistema|script) (?:velho|antigo)|antig[oa]|velh[oa]|reunião|contexto|é de 20\\p{N}{2}|desde (?:sempre|ontem|segunda|a)|há (?:semanas|meses|anos|dias)|ninguém mais|(?:essa|esse) (?:droga|maldit[oa]|porcaria)|jenkins|(?:os )?(?:clientes|usuários) (?:reclamam|dizem|relatam|reportam)|nada a ver|fornecedor|estagiário|colega|colegas?|outra pessoa|alguem do time|(?:codigo|modulo|versao|implementacao|sistema|script|testes?|solucao) (?:velh[ao]s?|antig[ao]s?|legad[ao]s?|legacy|existentes?|anterior(?:es)?|original)|legado|legacy|antes de (?:voce|vc|ti|qualquer|comecar)|ja (?:estava|falhava|estavam|vinha|falhavam|era assim)|nao (?:e|foi) (?:culpa sua|sua culpa|tua culpa)|usuarios? (?:\\p{L}{1,10} )?(?:reportam|reportou|reclamam|reclamou|dizem|relatam|relataram|veem)|utilizadores|clientes? (?:\\p{L}{1,10} )?(?:reportam|reportou|reclamam|reclamou|relatam|relatou)|em prod|em producao|na (?:main|master)|(?:semana|mes|ano|versao|release) (?:passad[ao]|anterior)|ontem|estagiari[ao]|fornecedor|upstream|(?:aws|github|npm|stripe|a api|servidor|o ci) (?:esta|estava|ta|caiu|devolve|retorna|responde)|(?:faz|ha) (?:semanas|meses|dias|tempo)|(?:ele|ela|eles) (?:esqueceu|quebrou|deixou|subiu|escreveu)',
  praise:
    '(?:obrigado|obrigada|valeu|otimo|perfeito|muito bom|bom|boa|excelente|show|beleza|legal|ok|okay|sim|isso|isso mesmo|exato|certo|correto|pronto|funciona|funcionou|maravilha|ficou bom|ficou otimo|bom trabalho|top|fixe)(?![\\p{L}])',
  further:
    '(?:agora|depois|tambem|entao|adiciona|adicione|cria|crie|escreve|escreva|implementa|implemente|pode (?:tambem|adicionar|explicar|me)|voce pode|consegue|poderia|como|que|qual|onde|quem|quando|explica|explique|mostra|mostre|e (?:tambem|agora)|alem disso|continue|pode seguir|segue)(?![\\p{L}])',
  content:
    'perfeito|muito bom|bom|obrigad[oa]|beleza|ótimo|funciona(?! em)|ok|satisfeita?|excelente|certo|ficou (?:muito )?bom|commitar|legal|valeu',
  wish: '(?:^|também |agora |e |depois |além disso )(?:adicione|adiciona|crie|escreva|implemente|faça|faz|traduza|documente|coloque|gere|documentar)(?= |$)|o mesmo (?:na|no|com|para)|também|além|agora (?:a|o)|próxim[oa]s?|depois|no fim|mais um|sem pressa|veja esse',
  asks: '^(?:e |ok |beleza |bom |obrigad[oa] )?(?:para que|pra que|o que|como|quais|qual|quando|onde|por que(?! você)|tem mais|quantos?|as \\p{L}{2,14})(?= )|explicar|explica|pode ver|desde sempre|nada a ver|tem mais',
};
