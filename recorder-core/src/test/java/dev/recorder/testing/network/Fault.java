package dev.recorder.testing.network;

import java.time.Duration;
import java.util.List;

/** What an {@link HttpTap} does to one request. */
public sealed interface Fault {

  /** Nothing: the request and its answer go through. */
  static Fault none() {
    return new None();
  }

  /** Answers {@code status} with S3's error {@code code}; the server never sees the request. */
  static Fault answer(int status, String code) {
    return new Answer(status, code);
  }

  /** Answers with this XML; the server never sees the request. */
  static Fault document(int status, String xml) {
    return new Document(status, xml);
  }

  /**
   * Holds the request until {@link HttpTap#release}, then forwards it: an answer that hangs, or
   * comes late.
   */
  static Fault hold() {
    return new Hold();
  }

  /** Forwards the request that much later, even if the client has left meanwhile. */
  static Fault delay(Duration delay) {
    return new Delay(delay);
  }

  /** Forwards the request and resets the client's connection when the server's answer is there. */
  static Fault dropAnswer() {
    return new DropAnswer();
  }

  /**
   * Forwards the request twice and answers what the second brought, as a resending network would.
   */
  static Fault repeat() {
    return new Repeat();
  }

  /**
   * Forwards the request without its condition, as a store would act that does not know it. The
   * server must not check signatures: the header is part of what is signed.
   */
  static Fault ignoreCondition() {
    return without("if-none-match");
  }

  /**
   * Forwards the request without these headers, for a server that refuses them. It must not check
   * signatures.
   */
  static Fault without(String... headers) {
    return new Without(List.of(headers));
  }

  /**
   * Forwards the request, and does not say that the body may come: a proxy that does not know
   * {@code Expect}.
   */
  static Fault swallowExpect() {
    return new SwallowExpect();
  }

  /** See {@link #none}. */
  record None() implements Fault {}

  /** See {@link #answer}. */
  record Answer(int status, String code) implements Fault {}

  /** See {@link #document}. */
  record Document(int status, String xml) implements Fault {}

  /** See {@link #hold}. */
  record Hold() implements Fault {}

  /** See {@link #delay}. */
  record Delay(Duration delay) implements Fault {}

  /** See {@link #dropAnswer}. */
  record DropAnswer() implements Fault {}

  /** See {@link #repeat}. */
  record Repeat() implements Fault {}

  /** See {@link #without}. */
  record Without(List<String> headers) implements Fault {}

  /** See {@link #swallowExpect}. */
  record SwallowExpect() implements Fault {}
}
