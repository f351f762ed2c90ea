import { describe, expect, it } from 'vitest'
import { badDocuments } from '../../helpers/graph/bad-documents.ts'
import { problemsOf } from '../../helpers/graph/documents.ts'

const around = {
  read: (path: string) => (path === 'empty.txt' ? '' : undefined),
  agentProblem: (name: string) =>
    name === 'gtp' ? { what: 'there is no agent "gtp"', fix: 'Did you mean gpt?' } : undefined,
}

const expected: Readonly<Record<string, readonly string[]>> = {
  // the text
  'an empty file': ['[g.yaml:1:1] is empty. Write version: "0.5", agents, tasks, workflows and run.'],
  'a file of comments': ['[g.yaml:1:1] is empty. Write version: "0.5", agents, tasks, workflows and run.'],
  'a list at the top': [
    '[g.yaml:1:1] must be a map of fields, and is a list. Write version: "0.5", agents, tasks, workflows and run.',
  ],
  'a single value': [
    '[g.yaml:1:1] must be a map of fields, and is a single value. Write version: "0.5", agents, tasks, workflows and run.',
  ],
  'an unclosed quote': ['[g.yaml:3:1] is not valid YAML: Missing closing "quote.'],
  'a tab as indentation': [
    '[g.yaml:3:1] is not valid YAML: Tabs are not allowed as indentation. Indent with spaces.',
  ],
  'two documents': ['[g.yaml:2:1] is not valid YAML: it contains several documents.'],
  'equal keys, and other mistakes': [
    '[g.yaml:3:3 agents.maker.work] "juge" is not allowed. Did you mean judge?',
    '[g.yaml:4:3] the key "maker" is already in line 3. Remove or rename one of them.',
    '[g.yaml:8:12 tasks.check.agent_ref] there is no agent "critic". Use one of maker, chief.',
    '[g.yaml:13:18 workflows.main.steps.0.task] there is no task "mak". Did you mean make?',
  ],
  'equal keys in JSON': [
    '[g.yaml:1:40] the key "a" is already in line 1. Remove or rename one of them.',
    '[g.yaml:1:71 run.workflow_ref] there is no workflow "main". Define it under workflows.',
  ],
  'an unknown alias': [
    '[g.yaml:2:9] uses the alias *all, but the anchor &all is not defined before it. Write the value instead, or put a text that begins with * in quotes.',
  ],
  'a tag': ['[g.yaml:2:15] has the tag !!set, which is not supported. Write a plain value, list or map.'],
  'a merge key': [
    '[g.yaml:4:13 agents.critic.<<] is not a known field. Write the fields out; merge keys are not read.',
  ],
  'the name __proto__': ['[g.yaml:3:3] uses the name __proto__, which is not allowed. Rename it.'],
  // JSON
  'a comma at the end of JSON': [
    '[g.yaml:1:1 agents] is missing. Write `agents:` and under it each agent by its id, such as `maker: {}`.',
    '[g.yaml:1:1 tasks] is missing. Write `tasks:` and under it each task by its id, with `agent_ref:` and `prompt:`.',
    '[g.yaml:1:1 run] is missing. Write `run: { workflow_ref: ID }`.',
  ],
  'mistakes in JSON with tabs': [
    '[g.yaml:3:21 agents.a.rol] is not a known field. Use one of id, provider, model, work, instructions, tools, max_output.',
    '[g.yaml:4:20 tasks.t.agent_ref] there is no agent "b". Did you mean a?',
    '[g.yaml:5:48 run.workflow.steps.0.task] there is no task "u". Did you mean t?',
  ],
  'keys that differ only by quotes': [
    '[g.yaml:5:3] the key "1" is already in line 4. Remove or rename one of them.',
  ],
  // the version
  'no version': ['[g.yaml:1:1 version] is missing. Write version: "0.5".'],
  'another version': ['[g.yaml:1:1 version] is "0.4". This release reads version 0.5. Write version: "0.5".'],
  'another version, as a number': [
    '[g.yaml:1:1 version] is 1. This release reads version 0.5. Write version: "0.5".',
  ],
  // fields
  'no field at all': [
    '[g.yaml:1:1 agents] is missing. Write `agents:` and under it each agent by its id, such as `maker: {}`.',
    '[g.yaml:1:1 tasks] is missing. Write `tasks:` and under it each task by its id, with `agent_ref:` and `prompt:`.',
    '[g.yaml:1:1 run] is missing. Write `run: { workflow_ref: ID }`.',
  ],
  'misspelt fields': [
    '[g.yaml:1:1 agents] is missing. Write `agents:` and under it each agent by its id, such as `maker: {}`.',
    '[g.yaml:1:1 run] is missing. Write `run: { workflow_ref: ID }`.',
    '[g.yaml:2:1 agent] is not a known field. Write agents instead.',
    '[g.yaml:14:1 runs] is not a known field. Did you mean run?',
  ],
  'fields of CrewAI': [
    '[g.yaml:3:13 agents.writer.role] is not a known field. Write instructions instead.',
    '[g.yaml:3:27 agents.writer.goal] is not a known field. Write instructions instead.',
    '[g.yaml:3:41 agents.writer.backstory] is not a known field. Write instructions instead.',
    '[g.yaml:3:59 agents.writer.llm] is not a known field. Write provider instead.',
    '[g.yaml:3:69 agents.writer.allow_delegation] is not a known field. Remove it; the pattern hierarchical delegates.',
    '[g.yaml:3:93 agents.writer.temperature] is not a known field. Remove it; bench sets no temperature.',
    '[g.yaml:3:111 agents.writer.max_iter] is not a known field. Use one of id, provider, model, work, instructions, tools, max_output.',
    '[g.yaml:5:3 tasks.write.agent_ref] is missing. Write `agent_ref:` with the id of an agent.',
    '[g.yaml:5:3 tasks.write.prompt] is missing. Write `prompt:` with what the agent is asked to do.',
    '[g.yaml:5:12 tasks.write.description] is not a known field. Write prompt instead.',
    '[g.yaml:5:36 tasks.write.expected_output] is not a known field. Write prompt instead.',
    '[g.yaml:5:60 tasks.write.agent] is not a known field. Write agent_ref instead.',
    '[g.yaml:5:75 tasks.write.context] is not a known field. Use one of id, agent_ref, prompt, tools.',
    '[g.yaml:7:3 workflows.main.steps] is missing. Write `steps:` with a list; each item begins with `- id:`.',
    '[g.yaml:8:5 workflows.main.process] is not a known field. Write kind instead.',
    '[g.yaml:9:5 workflows.main.tasks] is not a known field. Write steps instead.',
    '[g.yaml:10:8 run.workflow] must be an object, got "main". Write `workflow_ref: ID`, or `workflow:` with `steps:`.',
  ],
  'fields of LangGraph': [
    '[g.yaml:2:1 nodes] is not a known field. Write workflows instead.',
    '[g.yaml:3:1 edges] is not a known field. Remove it; each step names what it waits for, as `needs: [ID]`.',
    '[g.yaml:14:5 workflows.main.kind] "parallel" is not allowed. Write concurrent instead.',
    '[g.yaml:15:5 workflows.main.nodes] is not a known field. Write steps instead.',
    '[g.yaml:17:9 workflows.main.steps.0.id] is missing. Write `id:` with a name.',
    '[g.yaml:17:11 workflows.main.steps.0.name] is not a known field. Write id instead.',
    '[g.yaml:17:32 workflows.main.steps.0.depends_on] is not a known field. Write needs instead.',
    '[g.yaml:17:49 workflows.main.steps.0.timeout] is not a known field. Write timeout_ms instead.',
    '[g.yaml:17:61 workflows.main.steps.0.max_retries] is not a known field. Write retries instead.',
  ],
  'fields of AutoGen': [
    '[g.yaml:3:3 providers.gpt.kind] is missing. Use one of local_ollama, http_remote, bench_agent.',
    '[g.yaml:3:10 providers.gpt.type] is not a known field. Write kind instead.',
    '[g.yaml:3:24 providers.gpt.model] is not a known field. Write config instead.',
    '[g.yaml:3:39 providers.gpt.api_key] is not a known field. Use one of id, kind, config.',
    '[g.yaml:5:8 agents.a.system_message] is not a known field. Write instructions instead.',
    '[g.yaml:5:29 agents.a.llm_config] is not a known field. Write provider instead.',
    '[g.yaml:5:45 agents.a.max_tokens] is not a known field. Write max_output instead.',
    '[g.yaml:11:18 workflows.main.steps.0.pattern] "group_chat" is not a known pattern. Write debate instead.',
    '[g.yaml:11:39 workflows.main.steps.0.participants] is not a known field. Write debaters instead.',
    '[g.yaml:11:61 workflows.main.steps.0.max_turns] is not a known field. Write rounds instead.',
  ],
  'an unknown kind of provider': [
    '[g.yaml:3:8 providers.p.kind] "ollama" is not a known kind. Write local_ollama instead.',
    '[g.yaml:4:3 providers.q.kind] is missing. Use one of local_ollama, http_remote, bench_agent.',
    '[g.yaml:5:27 providers.r.config.base_url] is missing. Write `base_url:` and a string.',
    '[g.yaml:5:27 providers.r.config.model] is missing. Write `model:` and a string.',
    '[g.yaml:5:37 providers.r.config.url] is not a known field. Write base_url instead.',
    '[g.yaml:6:3 providers.s.config] is missing. Write `config:` with what the kind needs.',
    '[g.yaml:8:3 agents.maker] names no provider, and there are 4. Write provider: with one of p, q, r, s.',
    '[g.yaml:9:3 agents.critic] names no provider, and there are 4. Write provider: with one of p, q, r, s.',
    '[g.yaml:10:3 agents.chief] names no provider, and there are 4. Write provider: with one of p, q, r, s.',
  ],
  'an unknown pattern': [
    '[g.yaml:14:18 workflows.main.steps.0.pattern] "debat" is not a known pattern. Did you mean debate?',
    '[g.yaml:15:18 workflows.main.steps.1.pattern] "parallel" is not a known pattern. Write fork_join instead.',
    '[g.yaml:16:18 workflows.main.steps.2.pattern] 3 is not a known pattern. Use one of linear, fork_join, debate, planner_executor, referee, hierarchical.',
  ],
  'missing fields of patterns': [
    '[g.yaml:14:9 workflows.main.steps.0.debaters] is missing. Write `debaters:` and under it each debater by its name, with a task.',
    '[g.yaml:14:9 workflows.main.steps.0.judge] is missing. Write `judge:` with a task.',
    '[g.yaml:15:9 workflows.main.steps.1.join] is missing. Write `join:` with a task.',
    '[g.yaml:15:38 workflows.main.steps.1.branches] has no branch, so there is nothing to join. Add one.',
    '[g.yaml:16:9 workflows.main.steps.2.candidates] is missing. Write `candidates:` and under it each candidate by its name, with a task.',
    '[g.yaml:16:9 workflows.main.steps.2.referee] is missing. Write `referee:` with a task.',
    '[g.yaml:17:9 workflows.main.steps.3.planner] is missing. Write `planner:` with a task.',
    '[g.yaml:17:9 workflows.main.steps.3.executor] is missing. Write `executor:` with a task.',
    '[g.yaml:18:9 workflows.main.steps.4.boss] is missing. Write `boss:` with a task.',
    '[g.yaml:18:9 workflows.main.steps.4.workers] is missing. Write `workers:` and under it each worker by its name, with a task.',
    '[g.yaml:19:9 workflows.main.steps.5.steps] is missing. Write `steps:` with a list; each item begins with `- id:`.',
  ],
  'values of other types': [
    '[g.yaml:14:35 workflows.main.steps.0.debaters] must be an object, got ["make","make"]. Write `NAME: …` for each instead of a list.',
    '[g.yaml:14:59 workflows.main.steps.0.rounds] must be at most 20.',
    '[g.yaml:14:71 workflows.main.steps.0.judge] must be a string or an object, got 5.',
    '[g.yaml:15:50 workflows.main.steps.1.branches.x] must be an array, got {"id":"a","task":"make"}. Write a list.',
    '[g.yaml:15:78 workflows.main.steps.1.join] must be a string or an object, got ["make"].',
    '[g.yaml:16:11 workflows.main.steps.2.id] must be a string, got 1. Write it in quotes: "1".',
    '[g.yaml:16:30 workflows.main.steps.2.needs] must be an array, got "a". Write a list.',
    '[g.yaml:17:9 workflows.main.steps.3] must be a step, got "make". Write `{ id: …, task: … }`.',
    '[g.yaml:18:18 workflows.main.steps.4.task] must be a string, got {"prompt":"p"}.',
  ],
  'an id or needs in a slot': [
    '[g.yaml:14:88 workflows.main.steps.0.join.id] is not a known field. Remove it; the name of the slot is its id.',
    '[g.yaml:14:107 workflows.main.steps.0.join.needs] has no effect inside a pattern, which decides what its steps wait for. Remove it.',
    '[g.yaml:14:119 workflows.main.steps.0.join.promt] is not a known field. Use one of pattern, task, agent, on_failure, timeout_ms, retries, conflict.',
  ],
  'ids that are none': [
    '[g.yaml:7:3 tasks.ma ke] must be a name of letters, digits, dots, dashes and underscores, and begin with a letter or digit.',
    '[g.yaml:13:11 workflows.main.steps.0.id] must be a name of letters, digits, dots, dashes and underscores, and begin with a letter or digit.',
    '[g.yaml:13:26 workflows.main.steps.0.task] there is no task "make". Did you mean ma ke?',
  ],
  'a wrong id, run and seed': [
    '[g.yaml:14:28 run.seed] must be at least 0.',
    '[g.yaml:14:50 run.defaults.max_concurrency] must be at least 1.',
    '[g.yaml:14:70 run.defaults.retries] must be at most 10.',
    '[g.yaml:14:83 run.defaults.on_failure] "stop" is not allowed. Write fail instead.',
    '[g.yaml:14:103 run.input] {"txt":"a"} is not allowed. Write `task`, `{ text: … }` or `{ file: … }`.',
  ],
  // references
  'unknown names': [
    '[g.yaml:5:12 agents.maker.provider] there is no provider "locl". Did you mean local?',
    '[g.yaml:5:36 agents.maker.tools.0] there is no tool "serch". Use one of files.',
    '[g.yaml:7:11 tasks.make.agent_ref] there is no agent "makr". Did you mean maker?',
    '[g.yaml:8:48 tasks.test.tools.0] agent "maker" does not have the tool "files". Add it to the tools of the agent.',
    '[g.yaml:14:18 workflows.main.steps.0.task] there is no task "mak". Did you mean make?',
    '[g.yaml:15:30 workflows.main.steps.1.agent] there is no agent "make"; it is a task. Did you mean maker?',
    '[g.yaml:16:63 workflows.main.steps.2.branches.x.0.task] there is no task "tset". Did you mean test?',
    '[g.yaml:16:80 workflows.main.steps.2.join] there is no task "b". Use one of make, test.',
    '[g.yaml:17:8 run.workflow_ref] there is no workflow "mian". Did you mean main?',
    '[g.yaml:17:41 run.placement.provider] there is no provider "lokal". Did you mean local?',
    '[g.yaml:17:67 run.placement.steps.c] there is no step "c". Did you mean a?',
    '[g.yaml:17:88 run.placement.steps.q] "q" is inside a pattern. Write p::f::x::q.',
    '[g.yaml:17:112 run.placement.steps.a] names neither a provider nor an agent. Write provider: or agent:, or remove it.',
    '[g.yaml:17:124 run.placement.steps.b.provider] there is no provider "x". Use one of local.',
    '[g.yaml:17:137 run.placement.steps.b.agent] there is no agent "y". Use one of maker.',
  ],
  'the names of JavaScript’s own fields': [
    '[g.yaml:2:20 agents.maker.provider] there is no provider "constructor". Define it under providers, or remove it: then --agents decides.',
    '[g.yaml:2:51 agents.maker.tools.0] there is no tool "toString". Define it under tools.',
    '[g.yaml:3:18 tasks.make.agent_ref] there is no agent "hasOwnProperty". Use one of maker.',
    '[g.yaml:4:39 workflows.main.steps.0.task] there is no task "valueOf". Use one of make.',
    '[g.yaml:5:8 run.workflow_ref] there is no workflow "constructor". Use one of main.',
  ],
  'ids that do not equal their keys': [
    '[g.yaml:3:12 agents.maker.id] is "mkr", but the key is "maker". Write id: maker, or remove it.',
    '[g.yaml:12:5 workflows.main.id] is "other", but the key is "main". Write id: main, or remove it.',
  ],
  'a missing provider among several': [
    '[g.yaml:6:3 agents.maker] names no provider, and there are 2. Write provider: with one of one, two.',
    '[g.yaml:7:27 agents.other.model] has no effect: provider "two" is a bench_agent. Write the model in its config.agent.',
  ],
  'a model without a provider': [
    '[g.yaml:3:12 agents.maker.model] has no effect, since there are no providers. Add a provider, or remove it.',
  ],
  'tools that an agent does not have': [
    '[g.yaml:6:27 agents.maker.tools.1] names "files" twice. Remove it.',
    '[g.yaml:9:48 tasks.make.tools.0] agent "maker" does not have the tool "web". Add it to the tools of the agent.',
    '[g.yaml:14:30 workflows.main.steps.0.agent] task "read" uses files, which agent "other" does not have. Add it to the tools of the agent.',
    '[g.yaml:15:18 workflows.main.steps.1.task] task "read" uses files, which agent "other" does not have. Add it to the tools of the agent.',
  ],
  // the run
  'a key in the place of its variable': [
    '[g.yaml:3:37 providers.p.config.base_url] must be an http or https URL.',
    '[g.yaml:3:68 providers.p.config.key_variable] is not the name of an environment variable. Write the NAME of the variable that holds the key.',
  ],
  'both forms of a workflow': [
    '[g.yaml:16:3 run.workflow] the run has a workflow here and a workflow_ref in line 15. Remove one of them.',
  ],
  'neither form': ['[g.yaml:14:1 run] names no workflow. Write workflow_ref: main.'],
  'neither form and several workflows': [
    '[g.yaml:16:1 run] names no workflow. Write workflow_ref: main or other.',
  ],
  'no workflow': [
    '[g.yaml:10:1 run] names no workflow. Write a workflow under workflows, and its name as workflow_ref.',
  ],
  'an inline workflow with a taken id': [
    '[g.yaml:14:20 run.workflow.id] there is also a workflow "main" under workflows. Rename one of them.',
  ],
  'a missing input file': [
    '[g.yaml:14:37 run.input.file] there is no file "nothing.txt". Give the path of a text file, relative to the working folder.',
  ],
  'an empty input file': [
    '[g.yaml:14:37 run.input.file] the file "empty.txt" is empty. Write what the steps read into it.',
  ],
  'an unknown agent of bench': [
    '[g.yaml:3:37 providers.p.config.agent] there is no agent "gtp". Did you mean gpt?',
  ],
  // steps
  'steps of one id': [
    '[g.yaml:15:11 workflows.main.steps.1.id] there are two steps "a"; the first is in line 14. Rename one of them.',
    '[g.yaml:16:68 workflows.main.steps.2.steps.1.id] there are two steps "b"; the first is in line 16. Rename one of them.',
    '[g.yaml:17:11 workflows.main.steps.3.id] there are two steps "l"; the first is in line 16. Rename one of them.',
    '[g.yaml:17:79 workflows.main.steps.3.branches.x.1.id] there are two steps "c"; the first is in line 17. Rename one of them.',
  ],
  'names that other slots have': [
    '[g.yaml:14:50 workflows.main.steps.0.branches.join] branch "join" would have the id of the step "join". Rename the branch.',
    '[g.yaml:15:47 workflows.main.steps.1.debaters.judge] debater "judge" would have the id of the step "judge". Rename the debater.',
    '[g.yaml:16:50 workflows.main.steps.2.candidates.referee] candidate "referee" would have the id of the step "referee". Rename the candidate.',
    '[g.yaml:17:64 workflows.main.steps.3.workers.boss] worker "boss" would have the id of the step "boss". Rename the worker.',
    '[g.yaml:17:76 workflows.main.steps.3.workers.finish] worker "finish" would have the id of the step "finish". Rename the worker.',
  ],
  'too few parts': [
    '[g.yaml:14:38 workflows.main.steps.0.branches] has no branch, so there is nothing to join. Add one.',
    '[g.yaml:15:35 workflows.main.steps.1.debaters] has only one debater, so nobody disagrees. Add another.',
    '[g.yaml:16:36 workflows.main.steps.2.candidates] has only one candidate, so there is nothing to choose. Add another.',
    '[g.yaml:17:53 workflows.main.steps.3.workers] has no worker, so nobody works. Add one.',
  ],
  'producers that choose': [
    '[g.yaml:14:70 workflows.main.steps.0.referee] chooses a candidate, but its agent "maker" has work: produce. Set work: judge for the agent.',
    '[g.yaml:15:41 workflows.main.steps.1.boss] gives tasks, but its agent "maker" has work: produce. Set work: decide for the agent.',
    '[g.yaml:16:56 workflows.main.steps.2.planner.task] plans steps, but its agent "maker" has work: produce. Set work: decide for the agent.',
  ],
  'a candidate without a known last step': [
    '[g.yaml:14:59 workflows.main.steps.0.candidates.a] adds steps at run time, so its last step is not known. Give it a finish.',
  ],
  'empty slots, one named as a field of JavaScript’s own': [
    '[g.yaml:14:50 workflows.main.steps.0.candidates.constructor] must be a string or an object, got null.',
  ],
  'nothing to hand in': [
    '[g.yaml:13:5 workflows.main.steps] no step has an agent with work: produce, so nothing would be handed in. Set work: produce for one of the agents.',
  ],
  'an answer that is none': [
    '[g.yaml:13:5 workflows.main.answer] the last step of "b" is by agent "critic", which has work: judge. Name a step of an agent with work: produce.',
  ],
  'an answer of a judge': [
    '[g.yaml:13:5 workflows.main.answer] the last step of "d" is by agent "critic", which has work: judge. Name a step of an agent with work: produce.',
  ],
  'an answer that is added at run time': [
    '[g.yaml:13:5 workflows.main.answer] pattern "e" adds steps at run time, so its last step is not known. Give it a finish, or remove the answer.',
  ],
  'an unknown answer': ['[g.yaml:13:5 workflows.main.answer] there is no step "ac". Did you mean ab?'],
  'too many steps': [
    '[g.yaml:13:5 workflows.main.steps] can become 10041 steps, and the limit is 2000. Divide the workflow.',
  ],
  // needs
  'needs in a sequential workflow': [
    '[g.yaml:15:30 workflows.main.steps.1.needs] has no effect in a sequential workflow, where each step waits for the one before it. Write kind: concurrent for the workflow, or remove it.',
  ],
  'needs inside a pattern': [
    '[g.yaml:14:87 workflows.main.steps.0.steps.1.needs] has no effect inside a pattern, which decides what its steps wait for. Remove it.',
    '[g.yaml:15:79 workflows.main.steps.1.candidates.a.needs] has no effect inside a pattern, which decides what its steps wait for. Remove it.',
  ],
  'unknown needs': [
    '[g.yaml:14:42 workflows.main.steps.0.needs.0] there is no step "frist". Use one of l, second.',
    '[g.yaml:14:49 workflows.main.steps.0.needs.1] there is no step "nothing". Use one of l, second.',
    '[g.yaml:14:66 workflows.main.steps.0.needs.3] names "second" twice. Remove it.',
    '[g.yaml:16:43 workflows.main.steps.2.needs.0] "x" is inside the pattern "l". Remove it.',
  ],
  'a step that needs itself': [
    '[g.yaml:14:38 workflows.main.steps.0.needs.0] step "a" needs itself. Remove it.',
  ],
  cycles: [
    '[g.yaml:14:38 workflows.main.steps.0.needs.0] steps wait for each other: a (line 14) -> c (line 16) -> b (line 15) -> a. Remove one of these needs.',
    '[g.yaml:20:38 workflows.main.steps.3.needs.0] steps wait for each other: d (line 20) -> e (line 21) -> d. Remove one of these needs.',
  ],
  'a step without an id that others need': [
    '[g.yaml:14:9 workflows.main.steps.0.id] is missing. Write `id:` with a name.',
    '[g.yaml:14:11 workflows.main.steps.0.name] is not a known field. Write id instead.',
  ],
}

describe.each(Object.entries(badDocuments))('a document with mistakes of %s', (_, documents) => {
  it.each(documents)('is refused with all of them: %s', (name, text) => {
    expect(problemsOf(text, around, 'g.yaml')).toEqual(expected[name])
  })
})

describe('a document that is too large', () => {
  const within = (text: string) => {
    const start = performance.now()
    const problems = problemsOf(text, around, 'g.yaml')
    // A busy machine may take its time; unbounded work would take minutes.
    expect(performance.now() - start).toBeLessThan(10_000)
    return problems
  }

  it('is refused by its size, without reading it', () => {
    expect(within(`version: "0.5"\n${'# filler\n'.repeat(1_200_000)}`)).toEqual([
      '[g.yaml] has 10800015 bytes; the limit is 1000000. Divide it.',
    ])
  })

  it('is refused if its aliases make it large', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...[...'bcdefgh'].map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[i]}`)}]`),
    ]
    expect(within(bomb.join('\n'))).toEqual([
      '[g.yaml:1:1] contains too many aliases. Write the values instead.',
    ])
    const flat = `a: &a [${'x,'.repeat(20_000)}x]\n${Array.from({ length: 90 }, (_, i) => `b${i}: *a`).join('\n')}`
    expect(within(flat)).toEqual(['[g.yaml:1:1] contains too many aliases. Write the values instead.'])
  })

  it.each([
    ['lists', '['.repeat(50_000)],
    ['maps', '{a: '.repeat(50_000)],
    ['JSON', '{"a":'.repeat(50_000)],
  ])('is refused if it nests %s too deeply', (_, text) => {
    expect(within(text)[0]).toMatch(/^\[g\.yaml:1:\d+] nests more than 100 levels deep\.$/)
  })

  it('is refused in time that grows with its size only', () => {
    const keys = Array.from({ length: 30_000 }, (_, i) => `    a${i}: 1\n`).join('')
    const problems = within(`version: "0.5"\nagents:\n  a:\n${keys}tasks: {}\nrun: {}\n`)
    expect(problems.at(-1)).toBe('[g.yaml] has 29901 more mistakes.')
  })

  it('has its first 100 mistakes reported, and the number of the others', () => {
    const steps = Array.from({ length: 150 }, (_, i) => `      - { id: s${i}, task: no }\n`).join('')
    const text = `version: "0.5"\nagents: { a: {} }\ntasks: { t: { agent_ref: a, prompt: x } }\nworkflows:\n  main:\n    steps:\n${steps}run: { workflow_ref: main }\n`
    const problems = within(text)
    expect(problems[0]).toBe('[g.yaml:7:19 workflows.main.steps.0.task] there is no task "no". Use one of t.')
    expect(problems.slice(100)).toEqual(['[g.yaml] has 50 more mistakes.'])
  })
})
