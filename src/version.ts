/** Of the program, as its package says. */
export const VERSION = '1.0.0'
