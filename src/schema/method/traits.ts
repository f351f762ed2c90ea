/** What a strategy says of itself beside its flow. */
export interface StrategyTraits {
  /** The name of the option that says how many attempts the method makes; `match` may set it to match another method's spend. */
  attempts?: string
  /** The name of the option that names a document: `NAME:TEXT` after `--methods` means `NAME[option=TEXT]`. */
  document?: string
  /**
   * Says that which agents it asks is what the method is, so that with several models a pair is a comparison of mixes of agents and
   * not confounded with the model.
   */
  mixes?: true
  /**
   * Says that what each `produce` role replied is graded after the trial, as with `--grade-candidates`: by the harness, outside of the
   * strategy's sight. Tasks that judges grade are left out, since judges cost something.
   */
  gradesCandidates?: true
}
