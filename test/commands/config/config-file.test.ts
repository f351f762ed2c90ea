import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import { configAgentProblems } from '../../../src/commands/agents/config-agents.ts'
import { parseConfig, readConfig } from '../../../src/commands/config/config-file.ts'
import { configTemplate as templateFor } from '../../../src/commands/config/config-template.ts'
import { configSchema } from '../../../src/commands/init.ts'
import { AgentProgram } from '../../../src/schema/agent/agent-program.ts'
import { Config } from '../../../src/schema/run/config.ts'
import { formatProblem, UserError } from '../../../src/text/errors.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

/** What is wrong with a file, a line a problem. */
function problemsOf(text: string): string[] {
  try {
    return configAgentProblems(parseConfig(text, 'c.yaml')).map(formatProblem)
  } catch (error) {
    if (error instanceof UserError) return error.problems.map(formatProblem)
    throw error
  }
}

describe('a config file', () => {
  it('is told all that is wrong in it at once, with line, field and what was meant', () => {
    const text = [
      'run:',
      '  epochs: 0',
      '  mdoe: live',
      'agents:',
      '  "a b": anthropic:x',
      '  slow: { modl: x }',
      'limits:',
      '  trial: { calls: -1 }',
      'prices:',
      '  x: { input: a }',
    ]
    expect(problemsOf(text.join('\n'))).toEqual([
      '[c.yaml:2 run.epochs] should be more than 0.',
      '[c.yaml:3 run.mdoe] is not a known field. Did you mean mode?',
      '[c.yaml:5 agents.a b] is not a name of letters, digits, dots, dashes and underscores.',
      '[c.yaml:6 agents.slow.provider] is missing. Write one that bench agents lists.',
      '[c.yaml:6 agents.slow.modl] is not a known field. Did you mean model?',
      '[c.yaml:8 limits.trial.calls] should be more than 0.',
      '[c.yaml:10 prices.x.input] should be a number, not "a".',
      '[c.yaml:10 prices.x.output] is missing. Write `output:` and a number.',
    ])
  })

  it('is told once that it nests too deeply, however many faults the parser makes of that', () => {
    expect(problemsOf(`run:\n${'{"a":'.repeat(20_000)}`)).toEqual([
      expect.stringMatching(/^\[c\.yaml:\d+\] nests more than 100 levels deep\.$/),
    ])
  })

  it('is told what no data is made of: itself, a set, and numbers that are none', () => {
    expect(problemsOf('run: &a { epochs: 2, tasks: *a }\nlimits: !!set { trial }')).toEqual([
      '[c.yaml:1] holds *a, which refers to itself. Write its value out.',
      '[c.yaml:2] is of the kind !!set, which is none of ours. Write a plain value, list or map.',
    ])
    expect(problemsOf('run:\n  tasks: all\n  methods: *m')).toEqual([
      '[c.yaml:3] holds *m, but nothing before it is called &m. Write its value out.',
    ])
    expect(problemsOf('run: { epochs: .nan }\nprices: { x: { input: 1e400, output: -.inf } }')).toEqual([
      '[c.yaml:1 run.epochs] should be a number, not .nan.',
      '[c.yaml:2 prices.x.input] should be a number, not .inf (or too large).',
      '[c.yaml:2 prices.x.output] should be a number, not -.inf (or too large).',
    ])
    expect(parseConfig('run: { tasks: &t all, methods: *t }', 'c.yaml').config.run).toMatchObject({
      methods: 'all',
    })
  })

  it('is refused where it is not UTF-8 text', () => {
    const file = join(tempFolder(), 'c.yaml')
    writeFileSync(
      file,
      Buffer.concat([Buffer.from('run: { tasks: "'), Buffer.from([0xe4]), Buffer.from('" }')]),
    )
    expect(() => readConfig(file)).toThrow(`[${file}] is not UTF-8 text. Save it as UTF-8.`)
  })

  it('is told what is no YAML in few words, however long that is', () => {
    const [problem = '', ...more] = problemsOf(`run: "a" ${'x'.repeat(100_000)}`)
    expect(problem).toMatch(/^\[c\.yaml:1\] is not YAML: .{10,320}$/)
    expect(more).toEqual([])
  })

  it('may name no provider, agent or role that there is not, nor set what a provider does not take', () => {
    const text = [
      'providers:',
      '  antropic: {}',
      '  ollama: { keyVariable: KEY }',
      '  simulated: { limits: { concurrent: 1 } }',
      'agents:',
      '  ollama: openai:x',
      '  fast: { provider: opnai, model: x }',
      'roles: { auditr: fast }',
    ]
    expect(problemsOf(text.join('\n'))).toEqual([
      '[c.yaml:2 providers.antropic] there is no provider "antropic". Did you mean "anthropic"?',
      '[c.yaml:3 providers.ollama.keyVariable] "ollama" does not have this setting. See docs/guides/config.md.',
      '[c.yaml:4 providers.simulated.limits] "simulated" does not have this setting. Leave it out.',
      '[c.yaml:6 agents.ollama] is the name of a provider. Choose another name for the agent.',
      '[c.yaml:7 agents.fast.provider] there is no provider "opnai". Did you mean "openai"?',
      '[c.yaml:8 roles.auditr] there is no role "auditr". Did you mean "auditor"?',
    ])
  })

  it('must say what an agent of the provider cli is, and may give a program to no other', () => {
    const text = [
      'agents:',
      '  bare: { provider: cli }',
      '  odd:',
      '    provider: cli',
      '    program:',
      '      command: [own, "{modle}"]',
      '      txt: $.a',
      '      text: a.b',
      '      tokens: { input: [], output: $.a }',
    ]
    expect(problemsOf(text.join('\n'))).toEqual([
      '[c.yaml:6 agents.odd.program.command.1] "{modle}" stands for nothing; there are {model}, {baseUrl}, {session}.',
      '[c.yaml:7 agents.odd.program.txt] is not a known field. Did you mean text?',
      "[c.yaml:8 agents.odd.program.text] is not a path like $.result, $[-1].usage or $[?@.type == 'text'].part.text.",
      '[c.yaml:9 agents.odd.program.tokens.input] should be at least 1 long.',
    ])
    expect(problemsOf(text.slice(0, 2).join('\n'))).toEqual([
      '[c.yaml:2 agents.bare] no program is given. Say which: agents.NAME.program in bench.config.yaml, see docs/guides/providers.md.',
    ])
  })

  it('may hold no key of a program, but a word that stands in for one', () => {
    const fileWith = (key: string) =>
      `agents: { own: { provider: cli, program: { command: [own], output: text, env: { OWN_API_KEY: ${key} } } } }`
    expect(problemsOf(fileWith('sk-0123456789abcdef'))).toEqual([
      '[c.yaml:1 agents.own.program.env.OWN_API_KEY] is a key; a config file must not hold keys. Set keyVariable to the environment variable that holds the key, and keyInside to OWN_API_KEY.',
    ])
    expect(problemsOf(fileWith('none'))).toEqual([])
  })

  it('names the variables of keys, and tells no text that stands there instead', () => {
    const key = 'sk-abcdefghijklmnop'
    const text = [
      'providers:',
      `  anthropic: { keyVariable: ${key} }`,
      'agents:',
      `  fast: { provider: openai, model: x, keyVariable: ${key} }`,
      `  own: { provider: cli, program: { command: [own], output: text, keyInside: ${key} } }`,
      `secrets: [MY_TOKEN, ${key}]`,
    ]
    const fact =
      'is not the name of an environment variable. Write the NAME of the variable that holds the key.'
    expect(problemsOf(text.join('\n'))).toEqual([
      `[c.yaml:2 providers.anthropic.keyVariable] ${fact}`,
      `[c.yaml:4 agents.fast.keyVariable] ${fact}`,
      `[c.yaml:5 agents.own.program.keyInside] ${fact}`,
      `[c.yaml:6 secrets.1] ${fact}`,
    ])
    expect(problemsOf(`secrets: ${key}`)).toEqual([
      '[c.yaml:1 secrets] should be an array. Write the NAME of the variable that holds the key.',
    ])
  })

  it('may hold what the guide shows of a CLI of one’s own', () => {
    const guide = readFileSync(join(packageRoot(), 'docs/guides/providers.md'), 'utf8')
    const example = /^```yaml\n(agents:[\s\S]*?)^```/m.exec(guide)?.[1] ?? ''
    expect(problemsOf(example)).toEqual([])
    const mine = parseConfig(example, 'c.yaml').config.agents?.mine
    expect(Object.keys((typeof mine === 'object' && mine.program) || {}).sort()).toEqual(
      Object.keys(AgentProgram.shape).sort(),
    )
  })

  it('may be empty', () => {
    expect(parseConfig('', 'c.yaml').config).toEqual({})
  })
})

describe('what bench init writes', () => {
  const configTemplate = templateFor('docs/guides')
  const uncommented = (text: string) =>
    text
      .split('\n')
      .map((line) => (/^# (?!yaml-language-server)/.test(line) ? line.slice(2) : line))
      .join('\n')

  it('loads as it is, and asks for a small run with simulated agents', () => {
    expect(parseConfig(configTemplate, 'c.yaml').config).toEqual({
      run: { mode: 'dev', tasks: 'answers', methods: ['sequential', 'baseline'], epochs: 2 },
    })
  })

  it('loads with every example uncommented, all together', () => {
    expect(problemsOf(uncommented(configTemplate))).toEqual([])
    const { config } = parseConfig(uncommented(configTemplate), 'c.yaml')
    expect(Object.keys(config).sort()).toEqual(Object.keys(Config.shape).sort())
  })

  it.each(configTemplate.split('\n\n').filter((block) => block.includes('\n# ')))(
    'loads with one example uncommented: %#',
    (block) => {
      expect(problemsOf(uncommented(block))).toEqual([])
      expect(Object.keys(parseConfig(uncommented(block), 'c.yaml').config)).toHaveLength(1)
    },
  )

  it('names its schema, which knows every field', () => {
    expect(configTemplate).toMatch(/^# yaml-language-server: \$schema=\.\/bench\.config\.schema\.json\n/)
    expect(Object.keys(configSchema().properties as object)).toEqual(Object.keys(Config.shape))
  })
})
