import { setTimeout as sleep } from 'node:timers/promises'

/** A minute of the cell's windows, and what a request may take longer. */
const WINDOW_MS = 65_000
const RETRY_MS = 200

type Entry<A> = { readonly account: A; uses: { readonly at: number; readonly requests: number }[] }

/** Distributes requests to many accounts so that none is ever refused. */
export class Budget<A> {
  readonly #limit: number
  readonly #spent: Entry<A>[]
  #next = 0

  constructor(accounts: readonly A[], limit: number) {
    this.#limit = limit
    this.#spent = accounts.map((account) => ({ account, uses: [] }))
  }

  /** The next account, in turn, that may send this many requests now; null if none may. */
  tryTake(requests: number): A | null {
    for (let tried = 0; tried < this.#spent.length; tried++) {
      const entry = this.#spent[this.#next++ % this.#spent.length] as Entry<A>
      if (this.#free(entry) < requests) continue
      entry.uses.push({ at: Date.now(), requests })
      return entry.account
    }
    return null
  }

  async take(requests: number): Promise<A> {
    for (;;) {
      const account = this.tryTake(requests)
      if (account !== null) return account
      await sleep(RETRY_MS)
    }
  }

  /** Waits until all accounts together may send this many requests, in portions of the given size. */
  async ready(requests: number, portion: number): Promise<void> {
    const portions = () => this.#spent.reduce((sum, entry) => sum + Math.floor(this.#free(entry) / portion), 0)
    while (portions() * portion < requests) await sleep(RETRY_MS)
  }

  #free(entry: Entry<A>): number {
    const since = Date.now() - WINDOW_MS
    entry.uses = entry.uses.filter(({ at }) => at > since)
    return this.#limit - entry.uses.reduce((sum, { requests }) => sum + requests, 0)
  }
}
