/** Whose server answers, and how a user names it, its address and its key. */
export interface Vendor {
  /** The provider's name before the colon. */
  name: string
  /** Environment variables that hold the key; the first that is set counts. */
  keyVariables: readonly string[]
  /** Servers of one's own often need none. */
  keyOptional?: true
  /** Environment variable with another base URL, as the vendor's own tools read it. */
  baseUrlVariable?: string
  /** The vendor's own; absent where every user has another. */
  baseUrl?: string
  /** It may do without: a program of one's own may ask nobody. */
  addressOptional?: true
  /** What every base URL's path ends in; put there where it is missing. */
  version?: string
  /** Name in the price table; absent where only the address tells who bills. */
  billedBy?: string
}
