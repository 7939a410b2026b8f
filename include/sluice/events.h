/* sluice/events.h: values and calls while an output is written, and the calls of finished outputs. Part of sluice.h,
 * which includes it; its conventions hold here. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_EVENTS_H
#define SLUICE_EVENTS_H

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of events. The first six are values. */
enum {
  SLUICE_EVENT_OBJECT = 1,
  SLUICE_EVENT_ARRAY = 2,
  SLUICE_EVENT_STRING = 3,
  SLUICE_EVENT_NUMBER = 4,
  SLUICE_EVENT_BOOLEAN = 5,
  SLUICE_EVENT_NULL = 6,
  SLUICE_EVENT_TEXT = 7,      /* text outside of calls and values */
  SLUICE_EVENT_REASONING = 8, /* text of the reasoning */
  SLUICE_EVENT_CALL = 9,      /* a call; text is the tool's name */
  SLUICE_EVENT_INPUT = 10,    /* raw text as the input of a call */
  SLUICE_EVENT_REWIND = 11    /* earlier events are void: drop all but the first `kept` of them */
};

/* Bits of sluice_event.flags: the first and the last event of a value, text or call. An event may be both. */
enum { SLUICE_EVENT_BEGINS = 1, SLUICE_EVENT_ENDS = 2 };

/* sluice_event.call outside of calls. */
#define SLUICE_NO_CALL UINT32_MAX

/* A bit of the flags of sluice_matcher_events: the output has ended here, also without an end token. */
enum { SLUICE_EVENTS_FINAL = 1 };

/* sluice_event: a step of an output. The texts are offsets into the bytes that are written with it, UTF-8. The JSON text
 * has no whitespace between tokens, and may escape characters in another way than the output. The struct never grows,
 * since callers pass arrays of it.
 * since 0.1 */
typedef struct sluice_event {
  uint32_t kind;  /* SLUICE_EVENT_* */
  uint32_t flags; /* SLUICE_EVENT_BEGINS, SLUICE_EVENT_ENDS */
  uint32_t call;  /* the call that the event belongs to, from 0, or SLUICE_NO_CALL */
  uint32_t kept;  /* of SLUICE_EVENT_REWIND: how many of the events so far remain valid; rewinds do not count */
  size_t pointer; /* of a value: its place in the document or the arguments, a JSON pointer */
  size_t pointer_length;
  size_t
      text; /* the addition to the value or text: characters of a string, decoded; digits of a number; a name; text */
  size_t text_length;
  size_t json; /* of a value: the addition to the JSON text of the document or the arguments */
  size_t json_length;
} sluice_event;

/* sluice_matcher_events: writes the events of the output since the last call: values of a JSON document, texts and calls
 * of a request with tools. Any other output is text. The matcher must be made with SLUICE_KEEP_OUTPUT. Reasoning of
 * sluice_matcher_options is left out, as in sluice_matcher_output.
 *
 * Text that may still begin a call, and incomplete characters, wait for their rest; with SLUICE_EVENTS_FINAL, and after
 * an end token, they are written as well. If steps were taken back whose events were written, the first event is a
 * SLUICE_EVENT_REWIND; the events after it replace the dropped ones. A reset rewinds too. A fork continues behind the
 * events of its parent.
 * flags      0 or SLUICE_EVENTS_FINAL.
 * events     your buffer of capacity events. May be NULL with capacity 0.
 * n          the number of events.
 * bytes      your buffer of size bytes for their texts. May be NULL with size 0.
 * length     the number of bytes of all texts. If n exceeds capacity or length exceeds size, the buffers' contents are
 *            meaningless and the next call has the same events.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (the matcher does not keep its output, or a parameter is
 *            wrong); SLUICE_E_BUSY; SLUICE_E_INVALID (the output does not have the format of its constraint);
 *            SLUICE_E_LIMIT (values are nested deeper than 512).
 * threads    one at a time per matcher.
 * cost       reads the tokens since the last call; nothing while tokens are accepted. Each event has its whole pointer,
 *            so with keys of kilobytes, call it every few tokens.      since 0.1 */
sluice_status sluice_matcher_events(sluice_matcher matcher, uint32_t flags, sluice_event *events, size_t capacity,
                                    size_t *n, uint8_t *bytes, size_t size, size_t *length, sluice_error *error);

/* sluice_parse_calls: writes the events of a finished output, as sluice_matcher_events does, but without pointers.
 * text       text_length bytes of the output. Bytes that are not UTF-8 are copied into the events' texts.
 * request    the request that the output answers, as for SLUICE_KIND_REQUEST. Its tools tell names from other text, and
 *            texts from numbers in styles that write both alike. Without tools, calls may have any name.
 * options    as for SLUICE_KIND_REQUEST: "family" is needed, "reasoning" may be given, others mean nothing.
 * events, capacity, n, bytes, size, length   as for sluice_matcher_events.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT; SLUICE_E_SYNTAX and SLUICE_E_INVALID (the request is malformed, the output is
 *            not in the format of the family, or it ends within the arguments of a call); SLUICE_E_LIMIT.
 * threads    any.
 * cost       linear in the text.      since 0.1 */
sluice_status sluice_parse_calls(const char *text, size_t text_length, const char *request, size_t request_length,
                                 const char *options, size_t options_length, sluice_event *events, size_t capacity,
                                 size_t *n, uint8_t *bytes, size_t size, size_t *length, sluice_error *error);

#ifdef __cplusplus
}
#endif
#endif /* SLUICE_EVENTS_H */
