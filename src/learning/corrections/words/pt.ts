/** See `../meanings.ts` for how it is read. */
export const PT = `
you: você voce vc tu te teu tua seu sua ti consegue poderia deveria fizeste fez colocou usou mexeu tinhas
  podes
i: eu me meu minha mim meus
we: nós a_gente nosso* nossa vamos
they: ele eles ela alguém pessoal outro_time
party: provedor operadora quem_escreveu
  cliente* clientes colega* chefe time equipe equipa usuário* usuários utilizador* estagiário* marketing
  jurídico suporte designer* fornecedor* qa contador comercial negócio
it: isso isto esse essa este esta aquilo assim
asked: pedi pedido falei disse queria pedia quis mencionei escrevi especifiquei solicitei requisito* combinado
  combinamos esperava era_para era_pra solicitado instruções falado avisei quero_dizer
want: quero preciso gostaria prefiro precisamos queremos
did: feito alterou substituiu sobrescreveu instalou subiu commitou executou criou inventou copiou gerou
  reescreveu pôs botou enfiou meteu tocou duplicou rodou puseste usaste trocou passou
add: adiciona adicionar adicione acrescenta inclui inclua coloca põe coloque
added: adicionou adicionado acrescentou incluiu adicionaste
remove: remove remover remova apaga apague tira tire exclui limpa deleta retira
removed: removeu apagou tirou excluiu deletou removido apagado removeste retirou
change: muda mudar mude altera altere atualiza troca troque usa use substitui ajusta ajuste modifica
changed: mudou alterado mudança mudanças alteração alterações atualizou modificou
make: faz faça cria crie criar escreve escreva implementa implemente gera gere prepara monta traduz refatora
  extrai documenta desenvolve
move: move mova renomeia renomear renomeie
moved: moveu movido renomeou
omit: esqueceu esqueceste esquecido ignorou ignora pulou omitiu faltou deixou_de passou_batido deixou_passar
  ignoraste
fail: erro erros falha falham falhando quebra quebrado quebrada quebrando quebraram crash trava travando
  travou exceção vermelho bug bugs não_funciona não_roda estoura timeout vazio undefined null 500 404
  instável
broke: quebrou estragou ferrou destruiu detonou partiste estragaste regressão corrompeu bagunçou zoou
work: funciona funcionam passa passam verde roda rodando funcionou
undo: desfaz desfaça desfazer reverte reverta reverter restaura volta volte voltar revert rollback como_estava
  devolve de_volta recupera
stop: parar chega basta cancela interrompi parei pare para_para para_já para_agora para_com para_aí
wait: espera espere calma peraí pera momento segundo pausa aguarda
keep: deixa deixe mantém mantenha manter conserva preserva não_mexe não_mexa sem_mexer intacto
fix: corrige corrija conserta arruma arrume resolve resolver consertar
fixed: corrigido corrigiu consertou arrumou resolvido resolveu
look: olha olhe verifica verifique confere confira lê leia vê veja checa compara procura investiga
  dá_uma_olhada acha
tell: explica explique mostra mostre diz diga descreve resume lista conta me_diz
redo: refaz refaça tenta tente de_novo_do do_zero recomeça
ship: commit commita push sobe merge deploy publica pr branch release mergeia faz_o_deploy
run: rode executa execute rodar inicia
go: continua continue segue pode_seguir prossiga vai_em vai_lá começa manda
mind: foi_cancelado cancelaram acabou_de_me agora_quer agora_querem ver_antes ver_primeiro olhar_antes não_é_mais_necessário
  mudei_de_ideia mudamos_de pensando_melhor pensei_melhor decidi decidimos esquece deixa_pra_lá
  não_precisa_mais mudança_de_planos no_fim afinal
mine: esqueci_de esqueci_de_dizer devia_ter_dito deveria_ter_dito eu_mesmo eu_mesma sem_querer por_engano eu_apaguei não_é_culpa_sua tecla_errada esqueci
  meu_erro minha_culpa erro_meu falha_minha culpa_minha me_enganei eu_esqueci eu_errei errei janela_errada
  eu_devia me_confundi viajei
still: ainda ainda_não continua_dando continua_falhando
again: de_novo novamente outra_vez terceira_vez segunda_vez quantas_vezes toda_vez mais_uma_vez sempre_a_mesma
now: agora atualmente hoje já de_repente
next: depois próximo próxima em_seguida seguinte aí
also: também além mesma_coisa outro outra mais igual_para aproveita
only: só somente apenas unicamente
instead: em_vez ao_invés no_lugar mas_sim
actually: na_verdade realmente de_fato na_real
already: já_existe existe existente* já_temos já_tem tínhamos
before: antes anteriormente estava era estavam funcionava original
never: nunca jamais ninguém
always: sempre cada
all: tudo todos toda todas todo inteiro
not: não nao nada sem nenhum nenhuma nem n ñ
no: nop
why: por_que porque por_quê pra_que pq porquê
what: o_que que qual quê
how: como
which: quais onde quando quem cadê
can: pode dá_para dá_pra podemos
is: é está são tem há ta tá foi
should: deve devia tinha_que tem_que deviam precisa_ser teria_que deveriam
but: mas porém exceto só_que embora menos contudo
if: se
because: pois já_que para_que
please: por_favor pf pfv favor
thanks: obrigado obrigada valeu brigado obg vlw
good: 👍 👌 🎉 ❤ 🙏 bom boa ótimo ótima perfeito perfeita legal excelente show beleza melhor bonito maravilha top bacana
  certinho gostei feliz
ok: ok sim tá_bom certo okay claro pode_ser fechado ambos
sorry: desculpa desculpe perdão infelizmente foi_mal
wrong: errado errada incorreto incorreta falso ruim besteira* mentira absurdo ao_contrário invertido confundiu
  mal engano bobagem feio horrível inútil gambiarra lixo equivocado enganou
missing: falta faltam faltando faltava sumiu sumiram desapareceu perdido incompleto metade pela_metade vazia
same: mesmo mesma igual idêntico iguais mesmos
other: outros outras diferente* outro_lugar
excess: demais exagerado complicado longo muito_grande exagero ilegível
extra: desnecessário* sobrando ninguém_pediu quem_mandou quem_pediu por_conta_própria sem_perguntar
  sem_permissão fora_do_escopo nada_a_ver a_mais
hack: remendo trapaça* esconder esconde escondeu tapar mascara* comentou comentado desativou desativado
  desabilitou hardcoded chumbado chumbou mockou mock silenciou burlar engole sleep fixo_no
rule: regra* convenção convenções norma* guia padrão especificação ticket contributing agents_md claude_md
  documentação gerado* layout readme contrato esquema
old: velho velha antigo* ontem desde passada passado semanas meses anos legado segunda-feira herdado
  hoje_cedo
prod: produção prod staging homologação ci servidor pipeline rede vpn github gitlab docker jenkins npm
  navegador máquina notebook chrome internet aws
later: mais_tarde amanhã por_enquanto por_ora semana_que_vem almoço almoçar reunião café bateria trem ligação
  depois_a_gente hoje_à_noite
seem: parece acho penso vejo vi notei percebi reparei dá_a_impressão creio
claim: você_disse disse_que segundo_você prometeu supostamente afirmou falou_que dizes disseste mentiu garantiu
  inventado
swear: 🤬 😡 porra merda caralho droga maldito* puta diabos cacete wtf pqp inferno
wow: 🙄 parabéns bravo que_lindo que_maravilha maravilhoso fantástico sério genial obviamente claro_que kkk kkkk
  haha quem_precisa adoro_como adorei_como magicamente uau
hm: hm hmm eh ah oh ué ops aff putz hum bem
test: test tests teste testes suíte cobertura
file: arquivo arquivos ficheiro ficheiros pasta diretório módulo caminho
code: código função funções método classe componente endpoint tabela coluna colunas consulta botão página
  formulário campo campos config configuração migração migration script linha linhas variável import tipo
  tela
really: tão muito completamente totalmente de_jeito_nenhum sequer
maybe: talvez quem_sabe e_se que_tal poderíamos curiosidade me_pergunto
new: novo nova novos novas
first: primeiro primeira inicialmente finalmente enfim
until: até assim_que
done: pronto terminado concluído
correct: correto corretamente verdade
understand: entendo entendi entender sei sentido ideia
issue: problema problemas
task: tarefa funcionalidade projeto história
report: relatou relataram reclam* reportou reportaram
diff: diff sua_mudança sua_alteração suas_mudanças suas_alterações seu_código sua_correção sua_versão
  seu_commit sua_solução teu_código
whence: cadê_o onde_está onde_foi o_que_é_isso o_que_aconteceu desde_quando por_que_você por_que_tem
  por_que_está que_é_isso
outputs: retorna aparece dá sai exibe tá_dando
number: dois duas três quatro cinco seis sete oito nove dez doze vinte cem mil zero
wish: seria_legal seria_bom seria_ótimo seria_possível a_partir_de daqui_pra_frente de_agora_em é_possível
  dá_pra_também pode_também aproveitando aliás
`;
