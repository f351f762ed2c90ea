import { withoutLabel } from '../agents/agent.ts'
import { agentReach } from '../agents/registry.ts'
import { unknownModel } from '../imports/place-trials.ts'
import type { AskStep, Step } from '../schema/ledger/step.ts'
import type { ToolStep } from '../schema/ledger/tool-step.ts'
import { type Attributes, finishReasons, operations, providerNames } from './semantic-conventions.ts'

/** Which texts spans hold: any, and among them prompts and what tools put into them. */
interface Shown {
  content: boolean
  prompts: boolean
  /** Its steps are of another harness: models have their names there, and times are unknown. */
  imported?: boolean | undefined
}

/** The kind of a span: a call of something outside of bench, or a part of its own work. */
export type SpanKind = 'internal' | 'client'

interface Told {
  name: string
  kind?: SpanKind
  attributes: Attributes
  isError?: boolean
}

/** Returns what a span says of a step; undefined for steps that take no time, such as a checkpoint. */
export function tellStep(step: Step, shown: Shown): Told | undefined {
  const { content } = shown
  if (step.kind === 'ask') return tellAsk(step, shown)
  if (step.kind === 'tool') return tellTool(step, shown)
  if (step.kind === 'check')
    return {
      name: 'check',
      attributes: {
        'bench.tests.passed': step.passed,
        'bench.tests.total': step.total,
        'bench.output': content ? step.output : undefined,
      },
      isError: step.status === 'failed',
    }
  if (step.kind === 'grade') return { name: 'grade', attributes: { 'bench.passed': step.passed } }
  if (step.kind === 'stage') return { name: `stage ${step.stage}`, ...programEnd(step, step.output, content) }
  if (step.kind === 'run') return { name: `run ${step.stage}`, ...programEnd(step, step.stdout, content) }
  return step.kind === 'graph' ? { name: `step ${step.step}`, attributes: {} } : undefined
}

function programEnd({ exitCode }: { exitCode: number | null }, output: string, content: boolean) {
  const isError = exitCode !== 0
  return {
    attributes: {
      'error.type': isError ? (exitCode === null ? 'killed' : `exit ${exitCode}`) : undefined,
      'bench.output': content ? output : undefined,
    },
    isError,
  }
}

/** Returns the provider and the model of a call. Other harnesses write them as `provider/model`, or the model alone. */
function partsOf(agent: string, imported: boolean | undefined): { provider?: string; model?: string } {
  const name = imported ? agent : withoutLabel(agent)
  if (imported && name === unknownModel) return {}
  const [, provider, model] = (imported ? /^(?:([^/]+)\/)?(.+)$/s : /^([^:]*):?(.*)$/s).exec(name) ?? []
  return { ...(provider && { provider }), ...(model && { model }) }
}

function tellAsk(step: AskStep, { content, prompts, imported }: Shown): Told {
  const { agent, error, tokens, finish } = step
  const { provider, model } = partsOf(agent, imported)
  const isProgram = !imported && agentReach(agent) === 'program'
  const operation = isProgram ? operations.program : operations.call
  const named = isProgram ? provider : model
  return {
    name: named === undefined ? operation : `${operation} ${named}`,
    kind: isProgram ? 'internal' : 'client',
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': provider && (providerNames[provider] ?? provider),
      'gen_ai.agent.name': isProgram ? provider : undefined,
      'gen_ai.request.model': model,
      'gen_ai.response.model': step.model,
      'gen_ai.response.finish_reasons': error ? ['error'] : finish && [finishReasons[finish]],
      'gen_ai.conversation.id': step.session && `${step.trial}/${step.session}`,
      'gen_ai.usage.input_tokens': tokens.input,
      'gen_ai.usage.output_tokens': tokens.output,
      'gen_ai.usage.cache_read.input_tokens': tokens.cached,
      'gen_ai.usage.cache_write.input_tokens': tokens.cacheWrite,
      'gen_ai.usage.reasoning.output_tokens': tokens.reasoning,
      'error.type': error?.reason,
      ...(content && prompts && promptOf(step)),
      ...(content && replyOf(step)),
      'bench.role': step.role,
      'bench.work': step.work,
      'bench.cost_usd': step.costUsd,
      'bench.list_cost_usd': step.listCostUsd,
      'bench.wait_ms': step.waitMs > 0 ? step.waitMs : undefined,
      'bench.duration_unknown': imported,
    },
    isError: error !== undefined,
  }
}

const text = (content: string) => ({ type: 'text', content })

const promptOf = ({ system, prompt }: AskStep): Attributes => ({
  'gen_ai.system_instructions': system && JSON.stringify([text(system)]),
  'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [text(prompt)] }]),
})

function replyOf({ reply, toolCalls = [] }: AskStep): Attributes {
  const parts = [
    ...(reply === undefined ? [] : [text(reply)]),
    ...toolCalls.map(({ id, name, arguments: given }) => ({ type: 'tool_call', id, name, arguments: given })),
  ]
  return {
    'gen_ai.output.messages': parts.length > 0 ? JSON.stringify([{ role: 'assistant', parts }]) : undefined,
  }
}

function tellTool({ call, outcome, result }: ToolStep, { content, prompts, imported }: Shown): Told {
  const isError = outcome !== 'ok'
  return {
    name: `${operations.tool} ${call.name}`,
    attributes: {
      'gen_ai.operation.name': operations.tool,
      'gen_ai.tool.name': call.name,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': call.id,
      'error.type': isError ? outcome : undefined,
      'bench.duration_unknown': imported,
      'gen_ai.tool.call.arguments': content ? call.arguments : undefined,
      'gen_ai.tool.call.result': content && prompts ? result : undefined,
    },
    isError,
  }
}
