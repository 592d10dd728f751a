"""What each line of traffic.jsonl costs, worked out beside the program, in decimals: python3 expected.py > expected.json

The bodies are written after what the servers' documentation shows (OpenAI: chat completions and responses; OpenRouter:
usage accounting; DeepSeek, xAI, Anthropic, Gemini, Perplexity: their API references; vLLM, Ollama, llama.cpp, Azure:
answers as these servers give them). The token counts below were read off them by hand, as
(fresh input, input from a cache, input put into a cache, output), with prices in US dollars per million tokens.
"""
import json
from decimal import Decimal as D

BY_HAND = {
    # server: (fresh, cached, written, output), (input, cached, written, output)
    "openai chat, cached and reasoning": ((86, 1920, 0, 300), ("0.25", "0.025", "0", "2")),
    "openai chat, dated name, nothing cached": ((1117, 0, 0, 46), ("2", "0.5", "0", "8")),
    "openai responses": ((512, 1024, 0, 1186), ("2.5", "0.25", "0", "15")),
    "openai responses, cache written": ((794, 0, 3207, 123), ("0.1", "0.01", "0.125", "0.5")),
    # Beyond 272,000 tokens of input: twice the price of input, one and a half times that of output.
    "openai responses, long context": ((298977, 1024, 0, 999), ("5", "0.5", "0", "22.5")),
    "vllm": ((1034, 0, 0, 42), ("0.1", "0", "0", "0.3")),
    "azure": ((512, 1536, 0, 57), ("2.75", "1.375", "0", "11")),
    "ollama": ((26, 0, 0, 298), ("0", "0", "0", "0")),
    # Without a price for cached input it costs what input costs.
    "llama.cpp": ((359, 512, 0, 33), ("0.2", "0.2", "0", "0.2")),
    "deepseek": ((34, 1216, 0, 640), ("0.28", "0.028", "0", "0.42")),
    "deepseek, hit and miss only": ((34, 1216, 0, 43), ("0.28", "0.028", "0", "0.42")),
    "anthropic names": ((12, 18004, 2051, 503), ("2", "0.2", "2.5", "10")),
    "xai, reasoning beside the output": ((27, 98, 0, 48 + 417), ("3", "0.75", "0", "15")),
    "gemini, reasoning in the total alone": ((900, 0, 0, 1333 - 900), ("0.3", "0", "0", "2.5")),
    "perplexity, cost as an object": ((700, 0, 0, 60), ("1", "0", "0", "1")),
    "a gateway whose cost is in its own credits": ((1000, 0, 0, 50), ("1", "0", "0", "4")),
}
# What the server says that it charged; with a key of one's own, its fee and the maker's charge.
STATED = {
    "openrouter, states its charge": D("0.000154875"),
    "openrouter, own key": D("0.000054") + D("0.00108"),
}

def usd(server):
    if server in STATED:
        return STATED[server]
    if server not in BY_HAND:
        return None
    tokens, prices = BY_HAND[server]
    return sum(D(n) * D(price) for n, price in zip(tokens, prices)) / D(1_000_000)

servers = [json.loads(line)["server"] for line in open("traffic.jsonl", encoding="utf-8")]
calls = {server: usd(server) for server in servers}
known = [amount for amount in calls.values() if amount is not None]
print(json.dumps({
    "calls": {server: None if amount is None else format(amount, "f") for server, amount in calls.items()},
    "total": format(sum(known), "f"),
    "hundredThousand": format(sum(known[n % len(known)] for n in range(100_000)), "f"),
}, indent=2))
