import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv'
import Ajv2020 from 'ajv/dist/2020.js'
import { root } from '../runs/cli.ts'

/** Returns what is wrong with a value by a schema of `fixtures/schemas`; empty if nothing is. */
export function schemaErrors(name: string): (value: unknown) => string[] {
  const schema = JSON.parse(readFileSync(join(root, `fixtures/schemas/${name}.schema.json`), 'utf8'))
  const Validator = String(schema.$schema).includes('2020') ? Ajv2020.default : Ajv.default
  const { version: _, ...plain } = schema
  const validate = new Validator({ strict: false, allErrors: true, validateFormats: false }).compile(plain)
  return (value) =>
    validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

interface Step {
  step_id: number
  source: string
  timestamp?: string
  tool_calls?: { tool_call_id: string }[]
  observation?: { results: { source_call_id?: string }[] }
  llm_call_count?: number
}

const agentOnly = ['model_name', 'reasoning_effort', 'reasoning_content', 'tool_calls', 'metrics'] as const

/** Returns what is wrong with a trajectory by the rules of Harbor's validators, which a schema cannot hold (v1.7 of step.py and trajectory.py, and v1.8). */
export function ruleErrors({ steps }: { steps: readonly Step[] }): string[] {
  return steps.flatMap((step, at) => {
    const ids = (step.tool_calls ?? []).map((call) => call.tool_call_id)
    const results = step.observation?.results ?? []
    const unknown = results.filter(({ source_call_id: id }) => id !== undefined && !ids.includes(id))
    const wrong = [
      step.step_id !== at + 1 && 'is not numbered in order',
      step.timestamp !== undefined && Number.isNaN(Date.parse(step.timestamp)) && 'has no time',
      step.source !== 'agent' && agentOnly.some((field) => field in step) && 'has fields of agents alone',
      step.llm_call_count === 0 &&
        ['metrics', 'reasoning_content'].some((field) => field in step) &&
        'has metrics without a call',
      unknown.length > 0 && 'has results of calls that it does not have',
      new Set(ids).size < ids.length && 'has two calls with one id',
    ]
    return wrong.filter((one) => one !== false).map((one) => `step ${at + 1} ${one}`)
  })
}
