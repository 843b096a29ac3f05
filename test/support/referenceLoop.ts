// The plainest agent loop over the `openai` client: what the engine is compared with, byte for byte and in time.
import OpenAI from "openai";
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { WireTool, WireToolCall } from "../../extension/core/ports/modelClient";

type Delta = ChatCompletionChunk.Choice.Delta;

export interface ReferenceLoopOptions {
  baseUrl: string;
  model: string;
  systemPrompt: string;
  goal: string;
  /** Left out of the body when empty. */
  tools: readonly WireTool[];
  /** Answers the text of a tool result. `argumentsText` is JSON as the model wrote it. */
  execute(name: string, argumentsText: string): Promise<string>;
  /** Throws after so many replies. */
  maxTurns?: number;
}

/** Runs until a reply has no tool calls; answers its text. */
export async function runReferenceLoop(options: ReferenceLoopOptions): Promise<string> {
  const client = new OpenAI({ baseURL: options.baseUrl, apiKey: "reference", maxRetries: 0 });
  const messages: ChatCompletionMessageParam[] = [
    { role: "system", content: options.systemPrompt },
    { role: "user", content: options.goal },
  ];
  for (let turn = 0; turn < (options.maxTurns ?? 1_000); turn += 1) {
    const { text, reasoning, calls } = await callModel(client, options, messages);
    if (calls.length === 0) return text;
    // Servers that send their reasoning under this key want it back; the client's own types do not know it.
    const thought = reasoning === "" ? {} : { reasoning_content: reasoning };
    messages.push({ role: "assistant", content: text === "" ? null : text, ...thought, tool_calls: calls });
    for (const call of calls) {
      const content = await options.execute(call.function.name, call.function.arguments);
      messages.push({ role: "tool", tool_call_id: call.id, content });
    }
  }
  throw new Error("the reference loop did not end");
}

async function callModel(
  client: OpenAI,
  { model, tools }: ReferenceLoopOptions,
  messages: ChatCompletionMessageParam[],
): Promise<{ text: string; reasoning: string; calls: WireToolCall[] }> {
  const body: ChatCompletionCreateParamsStreaming = {
    model,
    messages,
    ...(tools.length > 0 ? { tools: [...tools] } : {}),
    stream: true,
    stream_options: { include_usage: true },
  };
  let text = "";
  let reasoning = "";
  const calls: WireToolCall[] = [];
  for await (const chunk of await client.chat.completions.create(body)) {
    const delta: (Delta & { reasoning_content?: string }) | undefined = chunk.choices[0]?.delta;
    text += delta?.content ?? "";
    reasoning += delta?.reasoning_content ?? "";
    for (const { index, id, function: part } of delta?.tool_calls ?? []) {
      const call = (calls[index] ??= { id: "", type: "function", function: { name: "", arguments: "" } });
      call.id ||= id ?? "";
      call.function.name ||= part?.name ?? "";
      call.function.arguments += part?.arguments ?? "";
    }
  }
  return { text, reasoning, calls };
}
