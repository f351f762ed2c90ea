/** What `bench show` prints of workflows of states. */
export interface WorkflowFlags {
  transitions?: boolean
  breaks?: boolean
  tokens?: boolean
  json?: boolean
}
