// Uses both generated clients of Go against a service. Prints what they found, as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"clients/oapicodegen"
	"clients/openapigenerator"
)

var (
	baseURL = os.Getenv("BASE_URL")
	apiKey  = os.Getenv("API_KEY")
	siteID  = os.Getenv("SITE_ID")
	prompt  = os.Getenv("PROMPT")
	wait    = "wait=50"
	one     = 1
)

const unknownTask = "bg-0000000000000000000000"

// found is what the test asserts of each client.
type found struct {
	TaskID   string   `json:"taskId"`
	Status   string   `json:"status"`
	Modified []string `json:"modified"`
	Listed   []string `json:"listed"`
	Missing  int      `json:"missing"`
	Error    string   `json:"error"`
}

func main() {
	results := map[string]found{"oapi-codegen": useOapiCodegen(), "openapi-generator": useOpenapiGenerator()}
	must(json.NewEncoder(os.Stdout).Encode(results))
}

func useOapiCodegen() found {
	ctx := context.Background()
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+apiKey)
		return nil
	}
	client, err := oapicodegen.NewClientWithResponses(baseURL, oapicodegen.WithRequestEditorFn(withKey))
	must(err)

	var body oapicodegen.CreateTaskRequest
	must(body.FromPromptTask(oapicodegen.PromptTask{SiteId: siteID, Prompt: prompt}))
	created, err := client.CreateTaskWithResponse(ctx, nil, body)
	must(err)
	result := found{TaskID: created.JSON200.TaskId}

	view, err := client.GetTaskWithResponse(ctx, result.TaskID, &oapicodegen.GetTaskParams{Prefer: &wait})
	must(err)
	result.Status, err = view.JSON200.Discriminator()
	must(err)
	completed, err := view.JSON200.AsCompletedTask()
	must(err)
	for _, page := range completed.Output.PagesModified {
		result.Modified = append(result.Modified, page.Slug)
	}

	result.Listed = listUntil(result.TaskID, func(cursor *string) ([]string, *string) {
		params := oapicodegen.ListTasksParams{SiteId: &siteID, Limit: &one, Cursor: cursor}
		list, err := client.ListTasksWithResponse(ctx, &params)
		must(err)
		ids := []string{}
		for _, task := range list.JSON200.Tasks {
			ids = append(ids, task.TaskId)
		}
		return ids, list.JSON200.NextCursor
	})

	missing, err := client.GetTaskWithResponse(ctx, unknownTask, nil)
	must(err)
	result.Missing, result.Error = missing.StatusCode(), missing.JSON404.Error
	return result
}

func useOpenapiGenerator() found {
	configuration := openapigenerator.NewConfiguration()
	configuration.Servers = openapigenerator.ServerConfigurations{{URL: baseURL}}
	client := openapigenerator.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), openapigenerator.ContextAccessToken, apiKey)

	task := openapigenerator.NewPromptTask(siteID, prompt)
	body := openapigenerator.PromptTaskAsCreateTaskRequest(task)
	created, _, err := client.TasksAPI.CreateTask(ctx).CreateTaskRequest(body).Execute()
	must(err)
	result := found{TaskID: created.TaskId}

	view, _, err := client.TasksAPI.GetTask(ctx, result.TaskID).Prefer(wait).Execute()
	must(err)
	result.Status = view.CompletedTask.Status
	for _, page := range view.CompletedTask.Output.PagesModified {
		result.Modified = append(result.Modified, page.Slug)
	}

	result.Listed = listUntil(result.TaskID, func(cursor *string) ([]string, *string) {
		request := client.ListsOfTasksAPI.ListTasks(ctx).SiteId(siteID).Limit(int32(one))
		if cursor != nil {
			request = request.Cursor(*cursor)
		}
		list, _, err := request.Execute()
		must(err)
		ids := []string{}
		for _, task := range list.Tasks {
			ids = append(ids, task.TaskId)
		}
		return ids, list.NextCursor.Get()
	})

	_, answer, err := client.TasksAPI.GetTask(ctx, unknownTask).Execute()
	result.Missing = answer.StatusCode
	if refused, ok := err.(*openapigenerator.GenericOpenAPIError); ok {
		if model, ok := refused.Model().(openapigenerator.Error); ok {
			result.Error = model.Error
		}
	}
	return result
}

// listUntil follows the cursors to the end, again until the list has the task: it may lag a moment.
func listUntil(taskID string, read func(cursor *string) ([]string, *string)) []string {
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		all := []string{}
		isThere := false
		for cursor, isFirst := (*string)(nil), true; isFirst || cursor != nil; isFirst = false {
			var ids []string
			ids, cursor = read(cursor)
			all = append(all, ids...)
		}
		for _, id := range all {
			isThere = isThere || id == taskID
		}
		if isThere && len(all) > 1 {
			return all
		}
		if time.Now().After(deadline) {
			panic(fmt.Sprintf("%s is not listed: %v", taskID, all))
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
