/** SQL of texts with commas between them, as `in` and `array` take them. They are words of the program and hold no quotes. */
export const quoted = (texts: Iterable<string>): string => [...texts].map((text) => `'${text}'`).join(', ')
