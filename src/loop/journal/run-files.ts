/** The files right in a run folder that bench writes. Whoever writes one takes its name from here, so that `bench runs prune` knows it. */
export const runFiles = {
  manifest: 'run.json',
  request: 'request.json',
  steps: 'steps.jsonl',
  events: 'events.jsonl',
  records: 'records.jsonl',
  sessions: 'sessions.jsonl',
  people: 'people.jsonl',
  looks: 'looks.jsonl',
  amendments: 'amendments.jsonl',
  summary: 'summary.md',
  lock: 'lock',
  pause: 'pause',
  /** Proves that this user started the run. */
  origin: 'origin',
  /** By it workers on other machines know that they see the folder of the run. */
  share: 'share',
} as const
