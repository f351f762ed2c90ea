import type { StageDeed, StageStep } from '../../schema/ledger/stage-step.ts'

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

function mapDeed(deed: StageDeed, map: MapText): StageDeed {
  if (!('ask' in deed)) return deed
  const { prompt, system, show } = deed.ask
  return {
    ask: {
      ...deed.ask,
      prompt: map(prompt),
      ...(system !== undefined && { system: map(system) }),
      ...(show && {
        show: Object.fromEntries(Object.entries(show).map(([name, text]) => [name, map(text)])),
      }),
    },
  }
}
