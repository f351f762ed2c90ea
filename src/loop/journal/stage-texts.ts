import type { RunStep, StageDeed, StageStep } from '../../schema/ledger/stage-step.ts'

type MapText = (text: string) => string

/** Returns a stage's step with each of its long texts mapped. */
export function mapStageTexts(step: StageStep, map: MapText): StageStep {
  return {
    ...step,
    before: map(step.before),
    ...(step.after !== undefined && { after: map(step.after) }),
    output: map(step.output),
    ...(step.log && { log: step.log.map((deed) => mapDeed(deed, map)) }),
  }
}

/** Returns the step of a tool's run with each of its long texts mapped. */
export const mapRunTexts = (step: RunStep, map: MapText): RunStep => ({
  ...step,
  ...{ stdout: map(step.stdout), stderr: map(step.stderr), files: mapValues(step.files, map) },
})

const mapValues = (texts: Readonly<Record<string, string>>, map: MapText) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, map(text)]))

function mapDeed(deed: StageDeed, map: MapText): StageDeed {
  if ('run' in deed && deed.run.files) return { run: { ...deed.run, files: mapValues(deed.run.files, map) } }
  if (!('ask' in deed)) return deed
  const { prompt, system, show } = deed.ask
  return {
    ask: {
      ...deed.ask,
      prompt: map(prompt),
      ...(system !== undefined && { system: map(system) }),
      ...(show && { show: mapValues(show, map) }),
    },
  }
}
