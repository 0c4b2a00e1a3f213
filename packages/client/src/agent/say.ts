/** Where the agent tells what it does. */
export type Say = {
  /** The result of a file. */
  outcome(name: string, text: string): void
  /** What somebody should know. */
  problem(text: string): void
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a name with a line end must not look like two lines
const CONTROLS = /[\0-\x1f\x7f]/g
const time = () => new Date().toISOString().replace(/\.\d+/, '')
const line = (text: string) => `${time()}  ${text.replace(CONTROLS, '?')}\n`

export const SAY: Say = {
  outcome: (name, text) => void process.stdout.write(line(`${name}  ${text}`)),
  problem: (text) => void process.stderr.write(line(text)),
}

/** A trouble that lasts is told once, and that it is over. */
export function lasting(say: Say, over: string): { is(text: string): void; isOver(): void } {
  let told: string | null = null
  return {
    is(text) {
      if (text !== told) say.problem(text)
      told = text
    },
    isOver() {
      if (told !== null) say.problem(over)
      told = null
    },
  }
}
