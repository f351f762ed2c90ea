import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import { configAgentProblems } from '../../../src/commands/agents/config-agents.ts'
import { parseConfig, readConfig } from '../../../src/commands/config/config-file.ts'
import { configSchema, configTemplate } from '../../../src/commands/init.ts'
import { AgentProgram } from '../../../src/schema/agent/agent-program.ts'
import { Config } from '../../../src/schema/run/config.ts'
import { formatProblem, UserError } from '../../../src/text/errors.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

/** The problems of a config file, one line each. */
function problemsOf(text: string): string[] {
  try {
    return configAgentProblems(parseConfig(text, 'c.yaml')).map(formatProblem)
  } catch (error) {
    if (error instanceof UserError) return error.problems.map(formatProblem)
    throw error
  }
}

describe('a config file', () => {
  it('is rejected with all its mistakes together, each with line, field and suggestion', () => {
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
      '[c.yaml:2 run.epochs] must be more than 0.',
      '[c.yaml:3 run.mdoe] is not a known field. Did you mean mode?',
      '[c.yaml:5 agents.a b] must be a name of letters, digits, dots, dashes and underscores.',
      '[c.yaml:6 agents.slow.provider] is missing. Write a provider that bench agents lists.',
      '[c.yaml:6 agents.slow.modl] is not a known field. Did you mean model?',
      '[c.yaml:8 limits.trial.calls] must be more than 0.',
      '[c.yaml:10 prices.x.input] must be a number, got "a".',
      '[c.yaml:10 prices.x.output] is missing. Write `output:` and a number.',
    ])
  })

  it('that nests too deeply is reported once, although the parser finds many faults', () => {
    expect(problemsOf(`run:\n${'{"a":'.repeat(20_000)}`)).toEqual([
      expect.stringMatching(/^\[c\.yaml:\d+\] nests more than 100 levels deep\.$/),
    ])
  })

  it('is rejected if it holds a reference to itself, a set, or a number that is not finite', () => {
    expect(problemsOf('run: &a { epochs: 2, tasks: *a }\nlimits: !!set { trial }')).toEqual([
      '[c.yaml:1] uses the alias *a inside its own anchor. Write the value instead.',
      '[c.yaml:2] has the tag !!set, which is not supported. Write a plain value, list or map.',
    ])
    expect(problemsOf('run:\n  tasks: all\n  methods: *m')).toEqual([
      '[c.yaml:3] uses the alias *m, but the anchor &m is not defined before it. Write the value instead, or put a text that begins with * in quotes.',
    ])
    expect(problemsOf('run: { epochs: .nan }\nprices: { x: { input: 1e400, output: -.inf } }')).toEqual([
      '[c.yaml:1 run.epochs] must be a number, got .nan.',
      '[c.yaml:2 prices.x.input] must be a number, got .inf (or too large).',
      '[c.yaml:2 prices.x.output] must be a number, got -.inf (or too large).',
    ])
    expect(parseConfig('run: { tasks: &t all, methods: *t }', 'c.yaml').config.run).toMatchObject({
      methods: 'all',
    })
  })

  it('is rejected if it is not UTF-8 text', () => {
    const file = join(tempFolder(), 'c.yaml')
    writeFileSync(
      file,
      Buffer.concat([Buffer.from('run: { tasks: "'), Buffer.from([0xe4]), Buffer.from('" }')]),
    )
    expect(() => readConfig(file)).toThrow(`[${file}] is not UTF-8 text. Save it as UTF-8.`)
  })

  it('that is not YAML is reported in a short line, even if the text is long', () => {
    const [problem = '', ...more] = problemsOf(`run: "a" ${'x'.repeat(100_000)}`)
    expect(problem).toMatch(/^\[c\.yaml:1\] is not valid YAML: .{10,320}$/)
    expect(more).toEqual([])
  })

  it('is rejected if it names an unknown provider or role, or sets what a provider does not take', () => {
    const text = [
      'providers:',
      '  antropic: {}',
      '  ollama: { keyVariable: KEY }',
      '  simulated: { limits: { concurrent: 1 } }',
      'agents:',
      '  ollama: openai:x',
      '  fast: { provider: opnai, model: x }',
      '  still: { provider: oracle, structured: native }',
      '  near: { provider: ollama, model: x, window: 9, keyVariable: KEY }',
      'roles: { auditr: fast }',
    ]
    expect(problemsOf(text.join('\n'))).toEqual([
      '[c.yaml:2 providers.antropic] there is no provider "antropic". Did you mean "anthropic"?',
      '[c.yaml:3 providers.ollama.keyVariable] "ollama" does not have this setting. See bench help config.',
      '[c.yaml:4 providers.simulated.limits] "simulated" does not have this setting. Leave it out.',
      '[c.yaml:6 agents.ollama] is the name of a provider. Choose another name for the agent.',
      '[c.yaml:7 agents.fast.provider] there is no provider "opnai". Did you mean "openai"?',
      '[c.yaml:8 agents.still.structured] "oracle" does not take structured. Leave it out.',
      '[c.yaml:9 agents.near.keyVariable] "ollama" does not take keyVariable. Leave it out. The settings of "ollama" are baseUrl, maxOutput, structured, temperature, seed, reasoning, providerOptions.',
      '[c.yaml:10 roles.auditr] there is no role "auditr". Did you mean "auditor"?',
    ])
  })

  it('may name roles that only a document or an own strategy of the chosen methods knows', () => {
    const text = 'roles: { stagehand: openai:x }'
    const unknown = '[c.yaml:1 roles.stagehand] there is no role "stagehand".'
    const problems = (more: string, chosen?: string) =>
      configAgentProblems(parseConfig(`${text}${more}`, 'c.yaml'), chosen).map(formatProblem)
    expect(problems('', 'baseline')).toEqual([expect.stringContaining(unknown)])
    for (const chosen of [
      'baseline,A=collaboration:./pair.yaml[iterations=1]',
      './mine.mjs:a.yaml',
      './mine.ts',
    ])
      expect(problems('', chosen)).toEqual([])
    expect(problems('\nmethods: { m: { strategy: "collaboration:./pair.yaml" } }')).toEqual([])
  })

  it('must describe the program of an agent of the provider cli correctly', () => {
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
      '[c.yaml:6 agents.odd.program.command.1] "{modle}" is not a placeholder; use one of {model}, {baseUrl}, {session}.',
      '[c.yaml:7 agents.odd.program.txt] is not a known field. Did you mean text?',
      "[c.yaml:8 agents.odd.program.text] must be a path like $.result, $[-1].usage or $[?@.type == 'text'].part.text.",
      '[c.yaml:9 agents.odd.program.tokens.input] must have at least 1 item(s).',
    ])
    expect(problemsOf(text.slice(0, 2).join('\n'))).toEqual([
      '[c.yaml:2 agents.bare] has no program. Set agents.NAME.program in bench.config.yaml; see bench help providers.',
    ])
  })

  it('needs the path of the answer of a program that prints it, and none of an agent of the protocol', () => {
    const agent = (provider: string, more: string, program: string) =>
      problemsOf(
        `agents: { own: { provider: ${provider}, ${more} program: { command: [own], ${program} } } }`,
      )
    expect(agent('cli', '', '')).toEqual([
      '[c.yaml:1 agents.own.program.text] is missing: the path of the answer. Set it, or `output: text`.',
    ])
    expect(agent('cli', '', 'output: text')).toEqual([])
    expect(agent('acp', 'model: m,', 'keyInside: KEY, models: [n], home: { a: b }')).toEqual([])
    expect(agent('acp', '', 'text: $.a')).toEqual([
      '[c.yaml:1 agents.own.program.text] is for programs that print their answer, but this one sends it over the protocol. Leave it out. A program of "acp" has command, env, home, keyInside, models, window, wires.',
    ])
    expect(problemsOf('agents: { own: { provider: acp, model: gemini --acp } }')).toEqual([])
    expect(problemsOf('agents: { own: { provider: acp } }')).toEqual([
      '[c.yaml:1 agents.own] has no program. Set agents.NAME.program in bench.config.yaml; see bench help providers.',
    ])
  })

  it('must not hold a key for a program, but may hold a placeholder', () => {
    const fileWith = (key: string) =>
      `agents: { own: { provider: cli, program: { command: [own], output: text, env: { OWN_API_KEY: ${key} } } } }`
    expect(problemsOf(fileWith('sk-0123456789abcdef'))).toEqual([
      '[c.yaml:1 agents.own.program.env.OWN_API_KEY] has the key OWN_API_KEY; a config file must not hold keys. Set keyVariable to the environment variable that holds the key, and keyInside to OWN_API_KEY.',
    ])
    expect(problemsOf(fileWith('none'))).toEqual([])
  })

  it('must name the variables of keys, and its problems do not print a key that it holds instead', () => {
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
      '[c.yaml:1 secrets] must be an array. Write the NAME of the variable that holds the key.',
    ])
  })

  it('may hold the example of an agent program from the guide', () => {
    const guide = readFileSync(join(packageRoot(), 'docs/reference/agent-clis.md'), 'utf8')
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

describe('the file of bench init', () => {
  const uncommented = (text: string) =>
    text
      .split('\n')
      .map((line) => (/^# (?!yaml-language-server)/.test(line) ? line.slice(2) : line))
      .join('\n')

  it('loads as it is, and describes a small run with simulated agents', () => {
    expect(parseConfig(configTemplate, 'c.yaml').config).toEqual({
      run: { mode: 'dev', tasks: 'answers', methods: ['sequential', 'baseline'], epochs: 2 },
    })
  })

  it('loads with all examples uncommented', () => {
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

  it('names its schema, which has every field', () => {
    expect(configTemplate).toMatch(/^# yaml-language-server: \$schema=\.\/bench\.config\.schema\.json\n/)
    expect(Object.keys(configSchema().properties as object)).toEqual(Object.keys(Config.shape))
  })
})
