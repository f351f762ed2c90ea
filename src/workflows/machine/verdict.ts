/** A verdict of a gate or an auditor about one version of an output. */
export interface Verdict {
  by: string
  /** With whose verdicts it is compared: of all gates, or of the auditors of one visit. */
  among: string
  path: string
  /** The number of the visit that wrote it. */
  version: number
  decision?: string
  score: number
}
