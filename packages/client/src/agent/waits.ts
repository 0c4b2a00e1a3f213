export type Backoff = { next(): number; reset(): void; readonly tries: number }
export type BackoffTimes = { readonly firstMs: number; readonly longestMs: number }

/** Twice as long each time; up to half is random, so that the agents of an agency do not retry at the same time. */
export function backoff({ firstMs, longestMs }: BackoffTimes): Backoff {
  let tries = 0
  return {
    next: () => Math.min(longestMs, firstMs * 2 ** tries++) * (1 - Math.random() / 2),
    reset() {
      tries = 0
    },
    get tries() {
      return tries
    },
  }
}

export type Rest = {
  /** Waits until a hint at most. A hint since the last rest counts. */
  untilHint(ms: number): Promise<void>
  /** Waits, whatever the hints. */
  whole(ms: number): Promise<void>
  hint(): void
  /** Ends any rest. */
  end(): void
}

export function rest(): Rest {
  let hinted = false
  let deaf = false
  let end = () => {}
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      end = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  return {
    async untilHint(ms) {
      if (!hinted) await wait(ms)
      hinted = false
    },
    async whole(ms) {
      deaf = true
      await wait(ms)
      deaf = false
      hinted = false // the look that follows sees it
    },
    hint() {
      hinted = true
      if (!deaf) end()
    },
    end: () => end(),
  }
}
