/** Escape sequences of terminals: operating-system commands and their like with all they carry, then control sequences. */
const sequences =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[\s\S]*?(?:\u0007|\u001b\\|\u009c|$)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g

/** What is left of control characters (line feed and tab are none here), and what reorders text on the screen. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/**
 * Text from outside as it may go to a terminal: without escape sequences, control characters other than line feed and
 * tab, and bidirectional overrides. Right-to-left letters stay. Not for files: it drops characters.
 */
export const plain = (text: string): string => text.replace(sequences, "").replace(controls, "")
