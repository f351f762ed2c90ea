import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'vitest'
import { survives } from '../cli/run/crash-scenario.ts'
import { writeAsker } from '../helpers/fanout/asking-strategy.ts'
import { level } from '../helpers/house/level.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import { root } from '../helpers/runs/cli.ts'

const worker = join(root, 'fixtures/agents/paid-worker.mjs')
const paid = ['--mode', 'live', '--agents', `scripted:${worker}`]
const graphs = join(root, 'fixtures/graphs/free.yaml')

/** A folder with two tools of one MCP server: of one the state is lost with bench, of the other there is none. */
function folderWithServers(): string {
  const cwd = tempFolder()
  copyFileSync(join(root, 'fixtures/mcp/notes.mjs'), join(cwd, 'notes.mjs'))
  const tool = (name: string, allowed: string, stateless: boolean) =>
    `  ${name}: { kind: mcp, config: { command: [node, notes.mjs], files: [notes.mjs], allow: [${allowed}], stateless: ${stateless} } }\n`
  writeFileSync(
    join(cwd, 'bench.config.yaml'),
    `tools:\n${tool('calm', 'files', true)}${tool('counter', 'count', false)}`,
  )
  return cwd
}

/** Where code runs without a sandbox, its probe takes no time between two kills. */
const unsandboxed = ['--sandbox', 'none', '--allow-unsandboxed']

// 30 kills by day, 200 in the night, then in the sandbox that there is.
const scale = level(1, 6.7)
const sandbox = level(unsandboxed, ['--allow-unsandboxed'])

const times = (kills: number) => Math.round(kills * scale)
const epochs = (count: number) => ['--epochs', String(Math.ceil(count * scale))]
const timeout = 120_000 + 300_000 * scale

it(`graphs, tools of the workspace and memory survive ${times(8)} kills`, { timeout }, () =>
  survives({
    plan: argv`${paid} --tasks ferry-morning,duration-text ${epochs(2)} --methods dag:${graphs},baseline
      --tools read,list,write,check,memory`,
    ...{ kills: times(8), seed: 21, parallel: 4, branches: 5, isTimed: true, options: sandbox },
  }),
)

it(`MCP servers with and without a state survive ${times(8)} kills`, { timeout }, () =>
  survives({
    plan: argv`${paid} --tasks answers ${epochs(1)}
      --methods calm=baseline[tools=calm],counted=baseline[tools=counter]`,
    ...{ kills: times(8), seed: 22, parallel: 3, branches: 1, isTimed: true, options: sandbox },
    ...{ mayVoid: true, cwd: folderWithServers() },
  }),
)

it(`workflows and own methods whose trials wait for people survive ${times(10)} kills`, { timeout }, () =>
  survives({
    plan: argv`${paid} --tasks lost-backup ${epochs(4)}
      --methods fanout:post-approval,${join(writeAsker().cwd, 'asker.mjs')}[rounds=2]`,
    ...{ kills: times(10), seed: 23, parallel: 4, branches: 3, answers: ['Shorter.', 'yes'] },
  }),
)

it(`chains of programs survive ${times(4)} kills`, { timeout }, () =>
  survives({
    plan: [...paid, '--tasks', 'ferry-morning,duration-text', '--methods', 'chained', ...epochs(2)],
    ...{ kills: times(4), seed: 24, parallel: 3, branches: 1, isTimed: true, options: sandbox },
  }),
)
