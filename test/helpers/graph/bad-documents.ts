/** Agents and tasks that the documents share. */
const primitives = `agents:
  maker: {}
  critic: { work: judge }
  chief: { work: decide }
tasks:
  make: { agent_ref: maker, prompt: Do the task. }
  check: { agent_ref: critic, prompt: Judge the work. }
  plan: { agent_ref: chief, prompt: Plan the work. }
`
const flow = `workflows:
  main:
    steps:
      - { id: a, task: make }
run: { workflow_ref: main }
`
const doc = (steps: string, kind = 'sequential', run = 'run: { workflow_ref: main }') => `version: "0.5"
${primitives}workflows:
  main:
    kind: ${kind}
    steps:
${steps.replace(/^/gm, '      ')}
${run}
`
/** Documents with mistakes, by what the mistakes are about. */
export const badDocuments: Readonly<Record<string, readonly (readonly [name: string, text: string])[]>> = {
  'the text': [
    ['an empty file', ''],
    ['a file of comments', '# nothing\n'],
    ['a list at the top', '- a\n- b\n'],
    ['a single value', 'hello\n'],
    ['an unclosed quote', 'version: "0.5\nagents: {}\n'],
    ['a tab as indentation', 'version: "0.5"\nagents:\n\tmaker: {}\n'],
    ['two documents', 'version: "0.5"\n---\nversion: "0.5"\n'],
    [
      'equal keys, and other mistakes',
      `version: "0.5"\n${primitives}${flow}`
        .replace('critic: { work: judge }', 'maker: { work: juge }')
        .replace('task: make }', 'task: mak }'),
    ],
    [
      'equal keys in JSON',
      '{"version": "0.5", "agents": {"a": {}, "a": {}}, "tasks": {}, "run": {"workflow_ref": "main"}}',
    ],
    ['an unknown alias', 'version: "0.5"\nagents: *all\n'],
    ['a tag', 'version: "0.5"\nagents: !!set { a, b }\n'],
    [
      'a merge key',
      `version: "0.5"\n${primitives}${flow}`
        .replace('maker: {}', 'maker: &m { max_output: 5 }')
        .replace('critic: { work: judge }', 'critic: { <<: *m, work: judge }'),
    ],
    [
      'the name __proto__',
      `version: "0.5"\n${primitives}${flow}`.replace('maker: {}', '__proto__: {}\n  maker: {}'),
    ],
  ],
  JSON: [
    ['a comma at the end of JSON', '{"version": "0.5",}'],
    [
      'mistakes in JSON with tabs',
      '{\n\t"version": "0.5",\n\t"agents": { "a": { "rol": "x" } },\n\t"tasks": { "t": { "agent_ref": "b", "prompt": "x" } },\n\t"run": { "workflow": { "steps": [{ "id": "s", "task": "u" }] } }\n}\n',
    ],
    [
      'keys that differ only by quotes',
      `version: "0.5"\n${primitives}${flow}`.replace('maker: {}', 'maker: {}\n  1: {}\n  "1": {}'),
    ],
  ],
  'the version': [
    ['no version', primitives + flow],
    ['another version', `version: "0.4"\n${primitives}${flow}`],
    ['another version, as a number', `version: 1\n${primitives}${flow}`],
  ],
  fields: [
    ['no field at all', 'version: "0.5"\n'],
    [
      'misspelt fields',
      `version: "0.5"\n${primitives}${flow}`.replace('agents:', 'agent:').replace('run:', 'runs:'),
    ],
    [
      'an unknown kind of provider',
      `version: "0.5"\nproviders:\n  p: { kind: ollama, config: { model: m } }\n  q: { config: {} }\n  r: { kind: http_remote, config: { url: x } }\n  s: { kind: local_ollama }\n${primitives}${flow}`,
    ],
    [
      'an unknown pattern',
      doc('- { id: d, pattern: debat }\n- { id: e, pattern: parallel }\n- { id: f, pattern: 3 }'),
    ],
    [
      'missing fields of patterns',
      doc(
        '- { id: d, pattern: debate }\n- { id: f, pattern: fork_join, branches: {} }\n- { id: r, pattern: referee }\n- { id: e, pattern: planner_executor }\n- { id: h, pattern: hierarchical }\n- { id: l, pattern: linear }',
      ),
    ],
    [
      'values of other types',
      doc(
        '- { id: d, pattern: debate, debaters: [make, make], rounds: 50, judge: 5 }\n- { id: f, pattern: fork_join, branches: { x: { id: a, task: make } }, join: [make] }\n- { id: 1, task: make, needs: a }\n- make\n- { id: x, task: { prompt: p } }',
      ),
    ],
    [
      'an id or needs in a slot',
      doc(
        '- { id: f, pattern: fork_join, branches: { x: [{ id: a, task: make }] }, join: { id: j, task: make, needs: [a], promt: x } }',
      ),
    ],
    [
      'ids that are none',
      `version: "0.5"\n${primitives}${flow}`.replace('id: a,', 'id: "p::x::a",').replace('make:', 'ma ke:'),
    ],
    [
      'a wrong id, run and seed',
      `version: "0.5"\n${primitives}${flow}`.replace(
        '{ workflow_ref: main }',
        '{ workflow_ref: main, seed: -1, defaults: { max_concurrency: 0, retries: 20, on_failure: stop }, input: { txt: a } }',
      ),
    ],
  ],
  references: [
    [
      'unknown names',
      `version: "0.5"
providers:
  local: { kind: local_ollama, config: { model: m } }
agents:
  maker: { provider: locl, tools: [serch] }
tasks:
  make: { agent_ref: makr, prompt: x, tools: [files] }
  test: { agent_ref: maker, prompt: x, tools: [files] }
tools:
  files: { kind: workspace, config: { allow: [read] } }
workflows:
  main:
    steps:
      - { id: a, task: mak }
      - { id: b, task: make, agent: make }
      - { id: f, pattern: fork_join, branches: { x: [{ id: q, task: tset }] }, join: b }
run: { workflow_ref: mian, placement: { provider: lokal, steps: { c: { agent: maker }, q: { provider: local }, a: {}, b: { provider: x, agent: y } } } }
`,
    ],
    [
      'the names of JavaScript’s own fields',
      `version: "0.5"
agents: { maker: { provider: constructor, tools: [toString] } }
tasks: { make: { agent_ref: hasOwnProperty, prompt: x } }
workflows: { main: { steps: [{ id: a, task: valueOf }] } }
run: { workflow_ref: constructor }
`,
    ],
    [
      'ids that do not equal their keys',
      `version: "0.5"\n${primitives}${flow}`
        .replace('maker: {}', 'maker: { id: mkr }')
        .replace('main:', 'main:\n    id: other'),
    ],
    [
      'a missing provider among several',
      `version: "0.5"
providers:
  one: { kind: local_ollama, config: { model: m } }
  two: { kind: bench_agent, config: { agent: simulated } }
agents:
  maker: {}
  other: { provider: two, model: big }
tasks:
  make: { agent_ref: maker, prompt: x }
${flow}`,
    ],
    [
      'a model without a provider',
      `version: "0.5"\n${primitives}${flow}`.replace('maker: {}', 'maker: { model: big }'),
    ],
    [
      'tools that an agent does not have',
      `version: "0.5"
tools:
  files: { kind: workspace, config: { allow: [read] } }
  web: { kind: mcp, config: { command: [web], allow: [get] } }
agents:
  maker: { tools: [files, files] }
  other: {}
tasks:
  make: { agent_ref: maker, prompt: x, tools: [web] }
  read: { agent_ref: maker, prompt: x, tools: [files] }
workflows:
  main:
    steps:
      - { id: a, task: read, agent: other }
      - { id: b, task: read }
run: { workflow_ref: main, placement: { steps: { b: { agent: other } } } }
`,
    ],
  ],
  'the run': [
    [
      'a key in the place of its variable',
      `version: "0.5"\nproviders:\n  p: { kind: http_remote, config: { base_url: "ftp://x", model: m, key_variable: "sk-very secret" } }\n${primitives}${flow}`,
    ],
    [
      'both forms of a workflow',
      `version: "0.5"\n${primitives}${flow}`.replace(
        '{ workflow_ref: main }',
        '\n  workflow_ref: main\n  workflow: { steps: [{ id: a, task: make }] }',
      ),
    ],
    ['neither form', `version: "0.5"\n${primitives}${flow}`.replace('{ workflow_ref: main }', '{ name: x }')],
    [
      'neither form and several workflows',
      `version: "0.5"\n${primitives}${flow}`
        .replace('{ workflow_ref: main }', '{ name: x }')
        .replace('run:', '  other:\n    steps: [{ id: a, task: make }]\nrun:'),
    ],
    ['no workflow', `version: "0.5"\n${primitives}run: {}\n`],
    [
      'an inline workflow with a taken id',
      `version: "0.5"\n${primitives}${flow}`.replace(
        '{ workflow_ref: main }',
        '{ workflow: { id: main, steps: [{ id: a, task: make }] } }',
      ),
    ],
    [
      'a missing input file',
      `version: "0.5"\n${primitives}${flow}`.replace(
        '{ workflow_ref: main }',
        '{ workflow_ref: main, input: { file: nothing.txt } }',
      ),
    ],
    [
      'an empty input file',
      `version: "0.5"\n${primitives}${flow}`.replace(
        '{ workflow_ref: main }',
        '{ workflow_ref: main, input: { file: empty.txt } }',
      ),
    ],
    [
      'an unknown agent of bench',
      `version: "0.5"\nproviders:\n  p: { kind: bench_agent, config: { agent: gtp } }\n${primitives}${flow}`,
    ],
  ],
  steps: [
    [
      'steps of one id',
      doc(
        '- { id: a, task: make }\n- { id: a, task: make }\n- { id: l, pattern: linear, steps: [{ id: b, task: make }, { id: b, task: make }] }\n- { id: l, pattern: fork_join, branches: { x: [{ id: c, task: make }, { id: c, task: make }] }, join: make }',
      ),
    ],
    [
      'names that other slots have',
      doc(
        '- { id: f, pattern: fork_join, branches: { join: [{ id: c, task: make }] }, join: make }\n- { id: d, pattern: debate, debaters: { judge: make, a: make }, judge: check }\n- { id: r, pattern: referee, candidates: { referee: make, a: make }, referee: check }\n- { id: h, pattern: hierarchical, boss: plan, workers: { boss: make, finish: make } }',
      ),
    ],
    [
      'too few parts',
      doc(
        '- { id: f, pattern: fork_join, branches: {}, join: make }\n- { id: d, pattern: debate, debaters: { a: make }, judge: check }\n- { id: r, pattern: referee, candidates: { a: make }, referee: check }\n- { id: h, pattern: hierarchical, boss: plan, workers: {} }',
      ),
    ],
    [
      'producers that choose',
      doc(
        '- { id: r, pattern: referee, candidates: { b: make, a: make }, referee: make }\n- { id: h, pattern: hierarchical, boss: make, workers: { w: make } }\n- { id: e, pattern: planner_executor, planner: { task: plan, agent: maker }, executor: make }',
      ),
    ],
    [
      'a candidate without a known last step',
      doc(
        '- { id: r, pattern: referee, candidates: { b: make, a: { id: e, pattern: planner_executor, planner: plan, executor: make } }, referee: check }',
      ),
    ],
    [
      'empty slots, one named as a field of JavaScript’s own',
      doc('- { id: r, pattern: referee, candidates: { constructor: null, a: make }, referee: check }'),
    ],
    ['nothing to hand in', doc('- { id: a, task: check }\n- { id: b, task: plan }')],
    [
      'an answer that is none',
      doc(
        '- { id: a, task: make }\n- { id: b, task: check }\n- { id: d, pattern: debate, debaters: { a: make, b: make }, judge: check }',
        'sequential\n    answer: b',
      ),
    ],
    [
      'an answer of a judge',
      doc(
        '- { id: d, pattern: debate, debaters: { a: make, b: make }, judge: check }',
        'sequential\n    answer: d',
      ),
    ],
    [
      'an answer that is added at run time',
      doc(
        '- { id: e, pattern: planner_executor, planner: plan, executor: make }',
        'sequential\n    answer: e',
      ),
    ],
    ['an unknown answer', doc('- { id: ab, task: make }', 'sequential\n    answer: ac')],
    [
      'too many steps',
      doc(
        '- { id: d, pattern: debate, debaters: { a: make, b: make }, rounds: 20, judge: check }\n' +
          Array.from(
            { length: 100 },
            (_, i) => `- { id: h${i}, pattern: hierarchical, boss: plan, workers: { w: make }, rounds: 20 }`,
          ).join('\n'),
      ),
    ],
  ],
  needs: [
    ['needs in a sequential workflow', doc('- { id: a, task: make }\n- { id: b, task: make, needs: [a] }')],
    [
      'needs inside a pattern',
      doc(
        '- { id: l, pattern: linear, steps: [{ id: b, task: make }, { id: c, task: make, needs: [b] }] }\n- { id: r, pattern: referee, candidates: { a: { id: q, pattern: linear, needs: [l], steps: [{ id: b, task: make }] }, c: make }, referee: check }',
      ),
    ],
    [
      'unknown needs',
      doc(
        '- { id: first, task: make, needs: [frist, nothing, second, second] }\n- { id: second, task: make }\n- { id: l, pattern: linear, needs: [x], steps: [{ id: x, task: make }] }',
        'concurrent',
      ),
    ],
    ['a step that needs itself', doc('- { id: a, task: make, needs: [a] }', 'concurrent')],
    [
      'cycles',
      doc(
        '- { id: a, task: make, needs: [c] }\n- { id: b, task: make, needs: [a] }\n- id: c\n  task: make\n  needs:\n    - b\n- { id: d, task: make, needs: [e, a] }\n- { id: e, pattern: linear, needs: [d], steps: [{ id: x, task: make }] }',
        'concurrent',
      ),
    ],
    [
      'a step without an id that others need',
      doc('- { name: a, task: make }\n- { id: b, task: make, needs: [a] }', 'concurrent'),
    ],
  ],
}
