/** Where the JSON Schema is written, beside the config file. */
export const schemaName = 'bench.config.schema.json'

/** What `bench init` writes: `##` explains, `#` can be uncommented, and `bench run` does what is left. */
const template = `# yaml-language-server: $schema=./${schemaName}
## bench.config.yaml: defaults of bench run in this folder. The command line wins over it; --no-config leaves it out.
## bench run works with this file as it stands: simulated agents answer, without a key and without cost.
## Each line that begins with one # is an example: uncomment what you need. More: <guides>/config.md

## What bench run would be told. dev: simulated agents answer; live: those that agents names.
run:
  mode: dev
  tasks: answers
  methods: [sequential, baseline]
  epochs: 2
#   agents: main
#   seed: 1
#   parallel: 4
#   retries: 3
#   baseline: baseline
#   family: all
#   outcome: success
#   margin: 5
#   failIf: sequential.success<0.5
#   sandbox: auto

## Agents by a name of your own, as --agents and --agent take it.
# agents:
#   main: anthropic:claude-sonnet-4-5
#   fast:
#     provider: anthropic
#     model: claude-haiku-4-5
#     maxOutput: 4000
#   local:
#     provider: openai-compatible
#     model: qwen3-coder
#     baseUrl: http://127.0.0.1:8000/v1
#     keyVariable: LOCAL_MODEL_KEY
#     prices: { input: 0, output: 0 }
##  A program that bench does not know by name; see <guides>/providers.md.
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

## Who answers for a role in live mode, whatever the method. --agents puts one agent in all places.
# roles:
#   auditor: fast

## Methods by a name of your own, as methods under run takes it; one that is named like a strategy changes its defaults.
# methods:
#   careful:
#     strategy: sequential
#     options: { maxInner: 5 }
#     roles: { auditor: main }
#     limits: { calls: 40 }
#     budget: { costUsd: 5 }

## Limits. run, method: they stop the run, or the method. trial: makes a trial end as limited. ask: an ask's own.
# limits:
#   run: { costUsd: 20, timeMs: 7200000 }
#   method: { costUsd: 10 }
#   trial: { calls: 60, tokens: 500000, costUsd: 1, timeMs: 1800000, checks: 20 } # calls: 500 in live mode, or none
#   ask: { calls: 4, timeMs: 600000 }

## Where providers are, which variable holds their key, and what they let through.
# providers:
#   anthropic:
#     keyVariable: ANTHROPIC_API_KEY
#     limits: { concurrent: 8, requestsPerMinute: 300, tokensPerMinute: 400000 }
#   ollama:
#     baseUrl: http://127.0.0.1:11434
#     limits: { concurrent: 1 }

## Prices that win over the table of list prices, in US dollars per million tokens, by agent.
# prices:
#   openai-compatible:qwen/qwen3-coder: { input: 0.3, output: 1.2, cached: 0.03 }

## Further variables whose values are kept out of everything; those named like keys are anyway. Each must be set.
# secrets: [INTERNAL_HOST]

## What of each call is kept in the ledger. Replies always are, since resume and replay answer from them.
# capture: { prompts: true, usage: true }

## Ask before a run with a paid agent that may cost more than this, or of which nobody knows.
# confirmAboveUsd: 5
`

/** The text of a new config file. `guides` is the folder of the guides, as it can be opened from the file's. */
export const configTemplate = (guides: string) => template.replaceAll('<guides>', guides)
