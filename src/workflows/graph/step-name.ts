/**
 * Returns the id of a step in words, as prompts name it: `p::debate::anna::r2` is "anna round 2 of debate". Two ids never get
 * the same name.
 */
export function stepName(id: string): string {
  const [mark, pattern, ...parts] = id.split('::')
  if (mark !== 'p' || pattern === undefined || parts.length === 0) return id
  return `${parts.map(partName).join(' ')} of ${pattern}`
}

function partName(part: string, place: number): string {
  const [, round, task] = (place > 0 && /^r(\d+)(?:_(\d+))?$/.exec(part)) || []
  if (round === undefined) return part
  return task === undefined ? `round ${round}` : `round ${round} task ${task}`
}
