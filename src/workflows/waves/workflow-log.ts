import type { Format } from '../../schema/method/format.ts'
import type { Workflow, WorkflowStage } from '../../schema/method/workflow.ts'
import type { WorkflowRecord } from '../../schema/method/workflow-record.ts'
import type { TraceEvent } from '../../strategy.ts'
import type { StageOutput } from './stage-prompt.ts'

/** What the log counts of a run of a stage. */
interface Ran {
  stage: WorkflowStage
  ms: number
  met: string[]
  unmet: string[]
  output: StageOutput | undefined
}

/** See `createWorkflowLog`. */
export type WorkflowLog = ReturnType<typeof createWorkflowLog>

/** Counts what is measured of a workflow, and writes an event for each output that cannot be read. */
export function createWorkflowLog(workflow: Workflow, note: (event: TraceEvent) => void) {
  const stages = new Map<string, WorkflowRecord['stages'][number]>()
  const unreadable: WorkflowRecord['unreadable'] = []
  const conflicts: string[] = []
  const converted = new Map<StageOutput, Set<Format>>()
  let iterations = 0
  let needed = 0
  let met = 0
  return {
    conflicts,
    runsOf: ({ stage }: WorkflowStage) => stages.get(stage)?.runs ?? 0,
    iterated: () => void iterations++,
    /** Counts one conversion for each output and format, however many stages read it. */
    converted(output: StageOutput, format: Format) {
      converted.set(output, (converted.get(output) ?? new Set()).add(format))
    },
    ran({ stage: { stage, agent }, ms, output, ...needs }: Ran) {
      const before = stages.get(stage)
      const runs = (before?.runs ?? 0) + 1
      const gave = output !== undefined || (before?.gave ?? false)
      stages.set(stage, { stage, agent, runs, ms: (before?.ms ?? 0) + ms, gave, ...needs })
      needed += needs.met.length + needs.unmet.length
      met += needs.met.length
      if (!output?.problem) return
      const { format, problem } = output
      unreadable.push({ stage, format, problem })
      note({ type: 'unreadable', stage, format, problem })
    },
    /** Returns what the trial's record says of the workflow. */
    record(): WorkflowRecord {
      const all = [...stages.values()]
      const runs = all.reduce((sum, { runs }) => sum + runs, 0)
      return {
        workflow: workflow.name,
        digest: workflow.digest,
        stages: all,
        iterations,
        conversions: {
          done: [...converted.values()].reduce((sum, formats) => sum + formats.size, 0),
          failed: unreadable.length,
        },
        unreadable,
        conflicts,
        satisfaction: needed === 0 ? null : met / needed,
        efficiency: runs === 0 ? 0 : all.filter(({ gave }) => gave).length / runs,
      }
    },
  }
}
