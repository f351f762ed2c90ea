import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { Config } from '../schema/run/config.ts'
import { UserError } from '../text/errors.ts'
import { configName } from './config/config-file.ts'
import { benchCommand } from './terminal/bench-command.ts'

/** `bench init`: writes a config file that `bench run` can use as it is, and its JSON Schema. It never overwrites a config file. */
export default async function init(): Promise<number> {
  write(configName, configTemplate, 'wx')
  try {
    write(schemaName, `${JSON.stringify(configSchema(), null, 2)}\n`, 'w')
  } catch (error) {
    rmSync(configName)
    throw error
  }
  process.stdout.write(`${configName} and ${schemaName} are written. Next: ${benchCommand()} run\n`)
  return 0
}

/** Returns the JSON Schema of the config file, for editors. */
export function configSchema(): Record<string, unknown> {
  return { title: configName, ...z.toJSONSchema(Config, { io: 'input' }) }
}

/** Writes the whole file or nothing; with `wx` only if it does not exist. Throws `UserError` if that fails. */
function write(file: string, text: string, flag: 'w' | 'wx'): void {
  const isNew = !existsSync(file)
  try {
    writeFileSync(file, text, { flag })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new UserError({ where: file, what: 'already exists', fix: 'Edit it, or remove it first.' })
    if (isNew) rmSync(file, { force: true })
    throw new UserError({
      where: resolve(file),
      what: `cannot be written: ${message.replace(/, .*$/s, '')}`,
      fix: 'Run bench init in a writable folder, on a disk with free space.',
    })
  }
}

const schemaName = 'bench.config.schema.json'

/** The file that `bench init` writes: `##` lines explain, `#` lines are examples to uncomment. It works as it is. */
export const configTemplate = `# yaml-language-server: $schema=./${schemaName}
## bench.config.yaml: defaults of bench run in this folder. The command line overrides it; --no-config ignores it.
## bench run works with this file as it is: simulated agents answer, without a key and without cost.
## Each line that begins with one # is an example: uncomment what you need. More: bench help config

## Options of bench run. dev: simulated agents answer; live: the agents named below answer.
run:
  mode: dev
  tasks: answers
  methods: [sequential, baseline]
  epochs: 2
#   agents: main
#   judges: [main, fast]
#   seed: 1
#   parallel: 4
#   retries: 3
#   baseline: baseline
#   family: all
#   outcome: success
#   margin: 5
#   failIf: sequential.success<0.5
#   sandbox: auto
#   keepWorkspaces: failed
#   tools: [read, list, write, check]
#   toolTurns: 20

## Your own names for agents, for --agents and --agent.
# agents:
#   main: anthropic:claude-sonnet-4-5
#   fast:
#     provider: anthropic
#     model: claude-haiku-4-5
#     maxOutput: 4000
#     structured: native
#     window: 200000
#   local:
#     provider: openai-compatible
#     model: qwen3-coder
#     baseUrl: http://127.0.0.1:8000/v1
#     keyVariable: LOCAL_MODEL_KEY
#     prices: { input: 0, output: 0 }
##  An agent program that has no provider of its own; see bench help providers.
#   own:
#     provider: cli
#     model: qwen3-coder
#     baseUrl: http://127.0.0.1:8000/v1
#     keyVariable: LOCAL_MODEL_KEY
#     prices: { input: 0.3, output: 1.2 }
#     program:
#       command: [own-agent, --json, --model, '{model}']
#       resume: [own-agent, --json, --model, '{model}', --resume, '{session}']
#       env: { OPENAI_BASE_URL: '{baseUrl}' }
#       keyInside: OPENAI_API_KEY
#       text: $.result
#       session: $.session_id
#       error: $.error
#       tokens: { input: [$.usage.fresh, $.usage.cached], output: $.usage.output, cached: $.usage.cached }
#       cost: $.cost_usd
#       window: 128000
##  An agent that speaks the Agent Client Protocol; in short: --agents 'acp:gemini --acp'
#   protocol:
#     provider: acp
#     model: qwen3-coder
#     baseUrl: http://127.0.0.1:8000/v1
#     program:
#       command: [other-agent, --acp, --model, '{model}']
#       env: { OPENAI_BASE_URL: '{baseUrl}' }
#       keyInside: OPENAI_API_KEY

## The agent for a role in live mode, in every method. --agents replaces all of them by one agent.
# roles:
#   auditor: fast

## Your own names for methods, for methods under run. An entry with the name of a strategy changes its defaults.
# methods:
#   careful:
#     strategy: sequential
#     options: { maxInner: 5 }
#     roles: { auditor: main }
#     tools: [read, notes]
#     limits: { calls: 40 }
#     budget: { costUsd: 5 }
##  An application of your own, such as one of LangGraph or CrewAI; see bench help external.
#   application:
#     strategy: external
#     options: { command: [python3, app.py], folder: app, roles: 'planner:solver' }

## An MCP client reads the runs and starts new ones with bench mcp: claude mcp add bench -- npx bench mcp. See bench help mcp-server.

## Tools that agents may call, for tools under run or under a method; see bench help agent-tools.
# tools:
#   notes: { kind: memory, config: { file: notes.txt } }
#   units:
#     kind: mcp
#     config: { command: [node, units.mjs], files: [units.mjs], allow: [convert], stateless: true }

## Limits. run and method stop the run or the method. trial ends a trial as limited. ask limits a single ask.
# limits:
#   run: { costUsd: 20, timeMs: 7200000 }
#   method: { costUsd: 10 }
#   trial: { calls: 60, tokens: 500000, costUsd: 1, timeMs: 1800000, checks: 20 } # calls: 500 in live mode, or none
#   ask: { calls: 4, timeMs: 600000 }

## Address, key variable and rate limits of providers.
# providers:
#   anthropic:
#     keyVariable: ANTHROPIC_API_KEY
#     limits: { concurrent: 8, requestsPerMinute: 300, tokensPerMinute: 400000 }
#   ollama:
#     baseUrl: http://127.0.0.1:11434
#     limits: { concurrent: 1 }

## Prices that override the list prices, in US dollars per million tokens, by agent.
# prices:
#   openai-compatible:qwen/qwen3-coder: { input: 0.3, output: 1.2, cached: 0.03 }

## More variables whose values are redacted, besides those with the name of a key. Each must be set.
# secrets: [INTERNAL_HOST]

## What artifacts and exports hold. The ledger, steps.jsonl, always keeps everything.
# capture: { prompts: true, usage: true, outputs: true, summaries: true, previews: true }

## Whom bench run tells how it ended: a command, which gets JSON on stdin, or an http(s) address.
# notify: [notify-send, bench has ended]

## Ask before a run with a paid agent that may cost more than this, or whose cost is unknown.
# confirmAboveUsd: 5
`
