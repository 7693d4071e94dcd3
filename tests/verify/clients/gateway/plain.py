"""Has the conversation with the Gemini API and Python's standard library alone.

It keeps of each answer what such programs keep: the text, and the calls with their names and arguments.
Usage: plain.py <base URL> <settings as JSON>. Prints the answers, each as one line of JSON.
"""

import json
import sys
import urllib.error
import urllib.request


def post(url, key, body):
    """Posts JSON and returns the parsed answer."""
    data = json.dumps(body, sort_keys=True).encode()
    headers = {"content-type": "application/json", "x-goog-api-key": key}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers)) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{error.code}: {error.read().decode()}") from error


def run_tool(name, args):
    """Runs one of the two tools."""
    if name == "weather":
        return {"city": args["city"], "days": args["days"], "sky": "clear"}
    return {"city": args["city"], "events": ["opera", "market"]}


def read_answer(answer):
    """Returns the text and the calls of an answer."""
    parts = answer["candidates"][0]["content"]["parts"]
    text = "".join(part.get("text", "") for part in parts if not part.get("thought"))
    calls = [part["functionCall"] for part in parts if "functionCall" in part]
    return text, calls


def model_content(text, calls):
    """Writes the model's turn for the history."""
    said = [{"text": text}] if text else []
    called = [{"functionCall": {"name": call["name"], "args": call["args"]}} for call in calls]
    return {"role": "model", "parts": said + called}


def result(call):
    """Runs a call and returns its functionResponse."""
    response = run_tool(call["name"], call["args"])
    return {"functionResponse": {"name": call["name"], "response": response}}


def ask(send, contents, question):
    """Asks a question, runs the tools, and returns the text of the answer."""
    contents.append({"role": "user", "parts": [{"text": question}]})
    while True:
        text, calls = read_answer(send(contents))
        contents.append(model_content(text, calls))
        if not calls:
            return text
        contents.append({"role": "user", "parts": [result(call) for call in calls]})


def main():
    base_url, settings = sys.argv[1], json.loads(sys.argv[2])
    url = f"{base_url}/v1beta/models/{settings['model']}:generateContent"
    tools = [{"functionDeclarations": settings["declarations"]}]

    def send(contents):
        return post(url, settings["key"], {"contents": contents, "tools": tools})

    contents = []
    for question in settings["questions"]:
        print(json.dumps(ask(send, contents, question)), flush=True)


main()
